-- purpose: cases about a customer, about its orders, charges or devices, or with a break of its charges; each with the
--          latest effective decision, newest first.
-- parameters: user_id (text), order_ids, charge_ids (text[]), as_of (timestamptz), rows (bigint)
-- grain:   one row per case; the outcome of a case of the fraud team begins with fraud_
with subject as (
    select 'user' as kind, :'user_id'::text as id
    union
    select 'order', wanted.id from unnest(:'order_ids'::text[]) as wanted (id)
    union
    select 'charge', wanted.id from unnest(:'charge_ids'::text[]) as wanted (id)
    union
    select 'device', orders.device_id
    from unnest(:'order_ids'::text[]) as wanted (id)
    inner join orders on orders.order_id = wanted.id
    where orders.device_id <> ''
),
named as (
    select case_id_of(subject.kind, subject.id) as case_id from subject
    union
    -- Somebody else claimed a purchase of the customer.
    select case_id_of_break(break_events.user_id, break_events.order_id, break_events.charge_id, break_events.break_id)
    from break_events
    where break_events.charge_id = any(:'charge_ids'::text[])
),
found as materialized (select kept.* from named inner join case_summaries as kept on kept.case_id = named.case_id),
ended as (
    select distinct on (effective.case_id) effective.*
    from found
    inner join effective_decisions_at(:'as_of'::timestamptz) as effective on effective.case_id = found.case_id
    order by effective.case_id asc, effective.at desc, effective.decision_id asc
)
select
    found.case_id, found.shown_status as status, found.severity, found.about, found.at_stake,
    rfc3339(found.opened_at) as opened_at, ended.action, found.outcome_prefix || ended.outcome as outcome,
    person_text(coalesce(ended.approved_by, ended.decided_by), ended.account) as account,
    ended.reason as said, rfc3339(ended.at) as at
from found
left join ended on ended.case_id = found.case_id
order by found.opened_at desc, found.case_id
limit :'rows'::bigint;
