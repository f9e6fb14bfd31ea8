-- purpose: Returns the newest event of each break at each clock up to the report's.
-- grain:   one row per break and clock
create or replace function payrecon.viewed_break_events() returns setof payrecon.break_events
language sql stable parallel safe
as $$
    select distinct on (break_events.break_id, break_events.as_of) break_events.*
    from break_events
    where break_events.as_of <= (select payrecon.viewed_at())
    order by break_events.break_id asc, break_events.as_of asc, break_events.attempt desc
$$;
