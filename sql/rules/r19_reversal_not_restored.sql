-- purpose: R19 refund reversed: Apple reversed a refund, and the removed goods were not restored.
-- traps:   restoring takes time, so only breaks open longer than grace after Apple's statement count.
-- parameters: as_of (timestamptz), grace (interval)
-- grain:   one signal per charge
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, order_id, currency, amount_milliunits, score, happened_at, detail,
    inputs
)
select
    'R19',
    'charge',
    rule_break.charge_id,
    rule_break.bundle_id,
    rule_break.user_id,
    rule_break.order_id,
    rule_break.currency,
    rule_break.amount_milliunits,
    1,
    charges.reversed_at,
    phrase('detail.reversed_still', 'at', rfc3339(charges.reversed_at)),
    json_build_object(
        'break_id', rule_break.break_id, 'charge_id', rule_break.charge_id, 'order_id', rule_break.order_id,
        'reversed_at', rfc3339(charges.reversed_at)
    )::text
from rule_break
inner join charges on charges.charge_id = rule_break.charge_id
where rule_break.class = 'REFUND_REVERSED_NOT_APPLIED'
    and charges.reversed_at < :'as_of'::timestamptz - :'grace'::interval;
