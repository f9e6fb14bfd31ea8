-- purpose: the breaks of an approved write-off, and whether it decides each. It does not if more became known since the proposal.
-- parameters: case_id (text), decision_id (text), as_of (timestamptz)
-- grain:   one row per break
with named as materialized (
    select unnest(proposal.break_ids) as break_id
    from case_decisions as proposal
    where proposal.case_id = :'case_id'::text
        and proposal.decision_id = :'decision_id'::text
        and proposal.step = 'proposed'
)
select
    coalesce(decided.decision_id = :'decision_id'::text and decided.ended_at is null, false) as is_decided,
    latest.is_open, latest.class, named.break_id,
    latest.class || case when latest.is_open then ' changed ' else ' went ' end || rfc3339(latest.as_of) as words
from named
left join decided_breaks_of(:'as_of'::timestamptz, array(select named.break_id from named)) as decided
    on decided.break_id = named.break_id
cross join lateral (
    select break_events.class, break_events.is_open, break_events.as_of
    from break_events
    where break_events.break_id = named.break_id
        and break_events.as_of <= :'as_of'::timestamptz
    order by break_events.as_of desc, break_events.attempt desc
    limit 1
) as latest
order by latest.class collate "C", named.break_id;
