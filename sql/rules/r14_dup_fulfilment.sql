-- purpose: R14 double fulfilment: one purchase delivered again to the same user.
-- traps:   a restore delivers the same access under another transaction id; for non-consumables that is benign unless the
--          copy lasts longer than the purchase; testers do not count.
-- parameters: copies_min (bigint)
-- grain:   one signal per charge
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, order_id, device_id, currency, amount_milliunits, score,
    happened_at, detail, inputs
)
select
    'R14',
    'charge',
    copy.charge_id,
    min(copy.bundle_id),
    (array_agg(copy.user_id order by copy.booked_at, copy.order_id))[1],
    min(copy.order_id),
    min(copy.device_id),
    min(copy.currency),
    case when min(copy.currency) is not distinct from max(copy.currency) then sum(copy.amount_milliunits) end,
    count(*),
    max(copy.booked_at),
    phrase('detail.delivered_more', jsonb_build_object('count', count(*), 'order', coalesce(min(copy.holder_order_id), '?'))),
    json_build_object(
        'charge_id', copy.charge_id, 'type', min(copy.charge_type), 'holder_order', min(copy.holder_order_id),
        'copies', to_json((array_agg(copy.order_id order by copy.order_id))[1:20]), 'count', count(*)
    )::text
from rule_refused as copy
where copy.class = 'DUP_DELIVERY'
    and copy.is_delivered
    and copy.environment = 'Production'
    and copy.charge_id is not null
    and not copy.is_tester
    and (copy.charge_type in ('consumable', 'non_renewing') or copy.entitlement_expires_at > copy.expires_at)
group by copy.charge_id
having count(*) >= :'copies_min'::bigint;
