-- purpose: R18 price anomaly: a price far from the catalogue's for that product, storefront and day.
-- traps:   preserved prices of renewals and offers are handled by detect (PRICE_OFF_CATALOG); a tax change by Apple moves a
--          price a little (deviation_percent).
-- parameters: deviation_percent (bigint)
-- grain:   one signal per charge
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, order_id, currency, amount_milliunits, score, happened_at, detail,
    inputs
)
with priced as materialized (
    select
        rule_break.break_id, rule_break.charge_id, rule_break.bundle_id, rule_break.currency,
        rule_break.amount_milliunits, rule_break.detail, rule_break.user_id, charges.price_milliunits, charges.purchased_at,
        charges.storefront, charges.product_id, charges.quantity, charges.is_renewal, charges.offer_type, matches.order_id
    from rule_break
    inner join charges using (charge_id)
    left join matches using (original_transaction_id, charge_id)
    where rule_break.class = 'PRICE_OFF_CATALOG'
        and charges.price_milliunits > 0
),
-- The reference price of the break (sql/detect/classes/price_off_catalog.sql): that of the storefront, else the common one.
listed as materialized (
    select distinct on (priced.charge_id)
        priced.charge_id, catalogue_prices.price_milliunits::numeric * priced.quantity as price_milliunits
    from priced
    inner join catalogue_prices using (bundle_id, product_id, currency)
    where catalogue_prices.storefront in (priced.storefront, '')
        and catalogue_prices.valid_from <= priced.purchased_at
    order by priced.charge_id, catalogue_prices.storefront desc, catalogue_prices.valid_from desc
),
holder as materialized (
    select distinct orders.order_id, orders.user_id
    from priced
    inner join orders on orders.order_id = priced.order_id
)
select
    'R18',
    'charge',
    priced.charge_id,
    priced.bundle_id,
    coalesce(holder.user_id, priced.user_id),
    priced.order_id,
    priced.currency,
    priced.amount_milliunits,
    -- In percent of the listed price, capped; a product listed as free has no ratio.
    least(div(priced.amount_milliunits::numeric * 100, greatest(listed.price_milliunits, 1)), 1000000)::bigint,
    priced.purchased_at,
    priced.detail,
    json_build_object(
        'break_id', priced.break_id, 'price_milliunits', priced.price_milliunits,
        'listed_milliunits', listed.price_milliunits,
        'difference_milliunits', priced.amount_milliunits, 'currency', priced.currency,
        'storefront', priced.storefront, 'is_renewal', priced.is_renewal, 'offer_type', priced.offer_type
    )::text
from priced
inner join listed on listed.charge_id = priced.charge_id
left join holder on holder.order_id = priced.order_id
where priced.amount_milliunits::numeric * 100 >= listed.price_milliunits * :'deviation_percent'::bigint;
