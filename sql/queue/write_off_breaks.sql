-- purpose: the breaks of an approved write-off, and whether it decides each. It does not if more became known since the proposal.
-- parameters: case_id (text), decision_id (text), as_of (timestamptz)
-- grain:   one row per break
with named as materialized (
    select unnest(proposal.break_ids) as break_id
    from case_decisions as proposal
    where proposal.case_id = :'case_id'::text
        and proposal.decision_id = :'decision_id'::text
        and proposal.step = 'proposed'
),
latest as (
    select distinct on (break_events.break_id) break_events.break_id, break_events.class, break_events.is_open, break_events.as_of
    from named
    inner join break_events on break_events.break_id = named.break_id
    where break_events.as_of <= :'as_of'::timestamptz
    order by break_events.break_id, break_events.as_of desc, break_events.attempt desc
)
select
    coalesce(decided.decision_id = :'decision_id'::text and decided.ended_at is null, false) as is_decided,
    latest.is_open, latest.class, latest.break_id,
    phrase(
        case when latest.is_open then 'refusal.item_changed' else 'refusal.item_went' end,
        'name', latest.class, 'at', rfc3339(latest.as_of)
    )::text as words
from latest
left join decided_breaks_of(:'as_of'::timestamptz, array(select named.break_id from named)) as decided
    on decided.break_id = latest.break_id
order by latest.class collate "C", latest.break_id;
