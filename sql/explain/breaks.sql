-- purpose: the breaks and pending differences on a subject, as lines a person reads.
-- parameters: id (text): order id, charge id or break id
-- grain:   one row per line
with event as (
    select break_events.*
    from break_events
    where break_events.order_id = :'id'::text
        or break_events.charge_id = :'id'::text
        or break_events.break_id = :'id'::text
)
select 'break ' || event.break_id || ': ' || event.class || ' (' || event.severity || ') '
    || case when event.is_open then 'open' else 'resolved' end || ' as of ' || rfc3339(event.as_of) || ' in run '
    || event.run_id || ': ' || event.detail as text
from event
union all
select 'pending ' || pending_breaks.class || ' until ' || rfc3339(pending_breaks.breaks_at) || ': '
    || pending_breaks.detail
from pending_breaks
where pending_breaks.order_id = :'id'::text
    or pending_breaks.charge_id = :'id'::text
    or pending_breaks.break_id = :'id'::text
order by text;
