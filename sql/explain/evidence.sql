-- purpose: a piece of evidence that belongs to no charge, and who handed it over, as lines a person reads.
-- parameters: id (text): its hash, or a break about it
-- grain:   one row per line
with wanted as (
    select :'id'::text as sha256
    union
    select split_part(break_events.subject_id, ':', 2)
    from break_events
    where break_events.break_id = :'id'::text
        and break_events.subject_id like 'evidence:%'
)
select line.text
from wanted
inner join evidence on evidence.sha256 = wanted.sha256
cross join lateral (
    select 1 as place, 'evidence ' || evidence.sha256 || ': ' || evidence.kind || ', ' || evidence.verdict
        || coalesce(' (' || nullif(evidence.reason, '') || ')', '')
        || coalesce(', transaction ' || evidence.transaction_id, '') || ', from ' || evidence.source || ', received '
        || rfc3339(evidence.received_at) as text
    union all
    select 2, '  handed over ' || rfc3339(sightings.received_at) || ' by ' || concat_ws(
            ', ', sightings.source, 'user ' || nullif(sightings.user_id, ''), 'device ' || nullif(sightings.device_id, ''),
            'for order ' || nullif(sightings.order_id, '')
        )
    from sightings
    where sightings.sha256 = evidence.sha256
) as line
where evidence.charge_id is null
order by evidence.sha256, line.place, line.text;
