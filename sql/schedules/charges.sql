-- purpose: every charge with the facts from which its schedule is made, to list all schedules.
-- parameters: none; rows/set_viewed.sql sets the clock
-- grain:   one row per Production charge, ordered by purchase
-- rules:   functions/reports/scheduled_charges.sql
select
    entry.charge_id, entry.transaction_id, entry.original_transaction_id, entry.web_order_line_item_id, entry.order_id,
    entry.bundle_id, entry.product_id, entry.type, entry.storefront, entry.currency, entry.state, entry.total_milliunits,
    entry.is_after_one_year, entry.extensions, entry.refunds, entry.terms, entry.proved, entry.known_at, entry.purchased_at,
    entry.term_from, entry.term_to, entry.delivered_at, entry.delivery_known_at, entry.upgraded_at, entry.upgrade_known_at
from payrecon.scheduled_charges() as entry
order by entry.purchased_at, entry.charge_id collate "C";
