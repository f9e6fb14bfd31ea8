-- purpose: purchases of the users of interest, each with its user: the matched order's, else the token's owner. Testers are
--          marked in the next step.
-- grain:   one row per charge
create temp table rule_sale on commit drop as
select
    sold.charge_id, sold.original_transaction_id, sold.bundle_id, sold.product_id, sold.type, sold.state, sold.offer_type,
    sold.storefront, sold.currency, sold.quantity, sold.price_milliunits,
    coalesce(sold.refunded_milliunits, 0) as refunded_milliunits,
    sold.is_renewal, sold.purchased_at, sold.revoked_at, sold.order_id, sold.device_id, sold.ordered_at, sold.delivered_at,
    sold.user_id, sold.person,
    coalesce(rule_person.household, sold.user_id) as household, false as is_tester
from rule_sale_charge as sold
left join rule_person on rule_person.user_id = sold.user_id
where sold.is_recent;
