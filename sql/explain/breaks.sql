-- purpose: the breaks and pending differences on a subject, as lines for readers: each break with its history, subject and
--          runbook.
-- parameters: ids (text): order ids, charge ids and break ids, separated by U+001F
-- grain:   one row per line
with event as (
    select break_events.*, lead(break_events.as_of) over in_time as next_as_of
    from break_events
    where break_events.order_id = any(string_to_array(:'ids'::text, chr(31)))
        or break_events.charge_id = any(string_to_array(:'ids'::text, chr(31)))
        or break_events.break_id = any(string_to_array(:'ids'::text, chr(31)))
    window in_time as (partition by break_events.break_id order by break_events.as_of, break_events.attempt)
),
line as (
    select
        event.break_id, event.as_of, 1 as place,
        'break ' || event.break_id || ': ' || event.class || ' (' || event.severity || ') '
            || case when event.is_open then 'open' else 'resolved' end || ' as of ' || rfc3339(event.as_of) || ' in run '
            || event.run_id || ': ' || event.detail as text
    from event
    union all
    select
        event.break_id, event.as_of, 2,
        '  ' || concat_ws(
            ', ', 'about ' || replace(event.subject_id, ':', ' '),
            'at risk ' || money_text(event.amount_milliunits, event.currency),
            'open since ' || rfc3339(event.opened_at), 'for ' || break_classes.owner_team
        ) || ': ' || break_classes.runbook
    from event
    inner join break_classes on break_classes.class = event.class
    where event.next_as_of is null
        and event.is_open
    union all
    select
        decided.break_id, decided.decided_at, 3,
        '  ' || decided.state || ' by ' || concat_ws(' and ', decided.decided_by, decided.approved_by) || ' on '
            || rfc3339(decided.decided_at) || ' in case ' || decided.case_id
            || coalesce(' until ' || rfc3339(decided.holds_until), '') || ': ' || decided.reason
            || coalesce('; no longer since ' || rfc3339(decided.ended_at), '')
    from decided_breaks_of(
        coalesce(nullif(current_setting('payrecon.as_of', true), '')::timestamptz, 'infinity'),
        array(select event.break_id from event)
    ) as decided
)
select text
from (
    select break_id, as_of, place, text from line
    union all
    select
        pending_breaks.break_id,
        'infinity',
        3,
        'pending ' || pending_breaks.class || ' until ' || rfc3339(pending_breaks.breaks_at) || ': '
            || pending_breaks.detail
    from pending_breaks
    where pending_breaks.order_id = any(string_to_array(:'ids'::text, chr(31)))
        or pending_breaks.charge_id = any(string_to_array(:'ids'::text, chr(31)))
        or pending_breaks.break_id = any(string_to_array(:'ids'::text, chr(31)))
) as entry
order by break_id, as_of, place;
