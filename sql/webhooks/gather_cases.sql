-- purpose: events for cases that became pending since the last gathering: new ones, and decided ones that came back. Cases
--          without pending items are removed, so that they count as new the next time.
-- parameters: through (bigint): entry number of the audit chain, which distinguishes the openings of a case
-- grain:   one row per event
with open as materialized (select * from open_cases()),
closed as (delete from webhook_cases where webhook_cases.case_id not in (select open.case_id from open)),
fresh as (insert into webhook_cases (case_id) select open.case_id from open on conflict do nothing returning case_id)
insert into webhook_events (event_id, kind, subject_id, data, at)
select
    'case-' || id_hash(open.case_id || '|' || :'through'::bigint), 'case.opened',
    open.case_id,
    json_build_object(
        'names', open.names, 'severity', open.severity, 'bundle_ids', open.bundle_ids, 'item_count', open.item_count
    )::text,
    open.at
from fresh
inner join open on open.case_id = fresh.case_id
order by open.at, open.case_id;
