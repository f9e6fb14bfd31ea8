-- purpose: R23 false claims: how often a device named purchases that Apple does not know, or presented forged ones.
-- traps:   a tester's device does so on purpose; claims that turned out to be genuine have no open break.
-- parameters: claims_min, listed_max (bigint)
-- grain:   one signal per device
insert into signal_found (rule, subject_kind, subject_id, bundle_id, user_id, score, happened_at, detail, inputs)
with claim as materialized (
    select orders.device_id, orders.order_id, orders.user_id, orders.bundle_id, orders.created_at, rule_break.class,
        rule_break.opened_at
    from rule_break
    inner join orders on orders.order_id = rule_break.order_id
    where rule_break.class in ('GHOST_TX', 'FORGED_SIGNATURE')
        and orders.device_id is not null
)
select
    'R23',
    'device',
    device_id,
    case when min(bundle_id) = max(bundle_id) then min(bundle_id) end,
    case when min(user_id) = max(user_id) then min(user_id) end,
    count(*),
    max(opened_at),
    phrase('detail.false_claims', jsonb_build_object('count', count(*), 'users', count(distinct user_id))),
    json_build_object(
        'ghosts', count(*) filter (where class = 'GHOST_TX'),
        'forged', count(*) filter (where class = 'FORGED_SIGNATURE'),
        'users', count(distinct user_id),
        'order_ids', to_json((array_agg(order_id order by opened_at, order_id))[1:(:'listed_max'::bigint)::integer])
    )::text
from claim
where not exists (
    select 1
    from rule_tester
    where rule_tester.user_id = claim.user_id
        and rule_tester.bundle_id in (claim.bundle_id, '')
        and rule_tester.allowed @> claim.created_at
)
group by device_id
having count(*) >= :'claims_min'::bigint;
