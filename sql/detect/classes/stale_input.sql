-- purpose: STALE_INPUT: an input that the night needs is too old, too small or was never read; see runs/input_state.sql.
-- parameters: stale_kinds, stale_details (text[]: phrases), stale_since (text[], instants)
-- grain:   one finding per kind of input
insert into finding (class, subject_id, breaks_at, detail)
with open_break as materialized (
    select open_breaks.subject_id, open_break_events.opened_at
    from payrecon.open_breaks
    inner join payrecon.open_break_events on open_break_events.break_id = open_breaks.break_id
    where open_breaks.subject_id like 'input:%'
)
select
    'STALE_INPUT',
    'input:' || stale.kind,
    -- The break keeps its opening instant, even if the reason changes.
    least(stale.since::timestamptz, open_break.opened_at),
    stale.detail::jsonb
from unnest(:'stale_kinds'::text[], :'stale_details'::text[], :'stale_since'::text[])
    as stale (kind, detail, since)
left join open_break on open_break.subject_id = 'input:' || stale.kind;
