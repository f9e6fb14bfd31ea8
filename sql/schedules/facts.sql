-- purpose: the facts from which schedules are made, to add up all schedules.
-- parameters: none; rows/set_viewed.sql sets the clock
-- grain:   one row per Production charge, in no order
-- rules:   functions/reports/scheduled_charges.sql
select
    entry.bundle_id, entry.product_id, entry.type, entry.storefront, entry.currency, entry.state, entry.total_milliunits,
    entry.is_after_one_year, entry.extensions, entry.refunds, entry.terms, entry.proved, entry.known_at, entry.purchased_at,
    entry.term_from, entry.term_to, entry.delivered_at, entry.delivery_known_at, entry.upgraded_at, entry.upgrade_known_at
from payrecon.scheduled_charges() as entry;
