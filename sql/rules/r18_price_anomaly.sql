-- purpose: R18 price anomaly: a price far from the catalogue's for that product, storefront and day.
-- traps:   preserved prices of renewals and offers are settled by detect (PRICE_OFF_CATALOG); a change of tax by Apple moves
--          a price a little (deviation_percent).
-- parameters: version (bigint), deviation_percent (bigint)
-- grain:   one suspicion per charge
insert into signal_found (
    rule, version, subject_kind, subject_id, bundle_id, user_id, order_id, charge_id, currency, amount_milliunits,
    score, happened_at, detail, inputs
)
select
    'R18',
    :'version'::bigint,
    'charge',
    rule_break.charge_id,
    rule_break.bundle_id,
    orders.user_id,
    matches.order_id,
    rule_break.charge_id,
    rule_break.currency,
    rule_break.amount_milliunits,
    rule_break.amount_milliunits * 100 / charges.price_milliunits,
    charges.purchased_at,
    rule_break.detail,
    json_build_object(
        'break_id', rule_break.break_id, 'price_milliunits', charges.price_milliunits,
        'difference_milliunits', rule_break.amount_milliunits, 'currency', rule_break.currency,
        'storefront', charges.storefront, 'is_renewal', charges.is_renewal, 'offer_type', charges.offer_type
    )::text
from rule_break
inner join charges on charges.charge_id = rule_break.charge_id
left join matches
    on matches.original_transaction_id = charges.original_transaction_id
    and matches.charge_id = charges.charge_id
left join orders on orders.order_id = matches.order_id
where rule_break.class = 'PRICE_OFF_CATALOG'
    and charges.price_milliunits > 0
    and rule_break.amount_milliunits * 100 >= charges.price_milliunits * :'deviation_percent'::bigint;
