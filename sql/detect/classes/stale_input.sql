-- purpose: STALE_INPUT: an input that a night needs is too old, too little, or was never read; runs/input_state.sql says which.
-- parameters: stale_kinds, stale_reasons (text[]), stale_since (text[], instants)
-- grain:   one finding per kind of input
insert into finding (class, subject_id, breaks_at, detail)
with standing as materialized (
    select open_breaks.subject_id, break_events.opened_at
    from payrecon.open_breaks
    inner join payrecon.break_events
        on break_events.break_id = open_breaks.break_id
        and break_events.as_of = open_breaks.as_of
        and break_events.attempt = open_breaks.attempt
    where open_breaks.subject_id like 'input:%'
)
select
    'STALE_INPUT',
    'input:' || stale.kind,
    -- It stays open since it opened, whatever else is wrong with it meanwhile.
    least(stale.since::timestamptz, standing.opened_at),
    stale.reason
from unnest(:'stale_kinds'::text[], :'stale_reasons'::text[], :'stale_since'::text[])
    as stale (kind, reason, since)
left join standing on standing.subject_id = 'input:' || stale.kind;
