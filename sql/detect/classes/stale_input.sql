-- purpose: STALE_INPUT: an input that the night needs is too old, too small or was never read; see runs/input_state.sql.
-- parameters: stale_kinds, stale_reasons (text[]), stale_since (text[], instants)
-- grain:   one finding per kind of input
insert into finding (class, subject_id, breaks_at, detail)
with open_break as materialized (
    select break_events.subject_id, break_events.opened_at
    from payrecon.open_break_events as break_events
    where break_events.subject_id like 'input:%'
)
select
    'STALE_INPUT',
    'input:' || stale.kind,
    -- The break keeps its opening instant, even if the reason changes.
    least(stale.since::timestamptz, open_break.opened_at),
    stale.reason
from unnest(:'stale_kinds'::text[], :'stale_reasons'::text[], :'stale_since'::text[])
    as stale (kind, reason, since)
left join open_break on open_break.subject_id = 'input:' || stale.kind;
