-- purpose: cases of which something waits for people and nothing did when it was looked last, as events: new ones, and decided ones
--          that came back. Cases of which nothing waits any more are let go of: when something of them does, they are new again.
-- parameters: through (bigint): number of the audit chain, which tells one opening of a case from the next
-- grain:   one row per event
with open as materialized (
    select * from open_cases()
),
gone as (
    delete from webhook_cases
    where webhook_cases.case_id not in (select open.case_id from open)
),
fresh as (
    insert into webhook_cases (case_id)
    select open.case_id from open
    on conflict do nothing
    returning case_id
)
insert into webhook_events (event_id, kind, subject_id, data, at)
select
    'case-' || left(encode(sha256(convert_to(open.case_id || '|' || :'through'::bigint, 'UTF8')), 'hex'), 32), 'case.opened',
    open.case_id,
    json_build_object(
        'names', open.names, 'severity', open.severity, 'bundle_ids', open.bundle_ids, 'item_count', open.item_count
    )::text,
    open.at
from fresh
inner join open on open.case_id = fresh.case_id
order by open.at, open.case_id;
