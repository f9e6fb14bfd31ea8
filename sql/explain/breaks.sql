-- purpose: the breaks and pending differences on a subject, as phrases: each break with its history, subject and runbook.
-- parameters: ids (text): order ids, charge ids and break ids, separated by U+001F; as_of (timestamptz): the clock, null for
--             the present
-- grain:   one row per line; is_detail: it belongs to the line before
-- The present, or the newest clock of detect if that is later.
with present as (
    select coalesce(:'as_of'::timestamptz, greatest(now(), (select max(detections.as_of) from detections))) as clock
),
event as (
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
        phrase('explain.break_event', jsonb_build_object(
            'id', event.break_id, 'class', event.class, 'severity', phrase('word.' || event.severity),
            'state', phrase(case when event.is_open then 'word.open' else 'state.resolved' end), 'at', rfc3339(event.as_of),
            'run', event.run_id, 'detail', event.detail
        )) as text
    from event
    union all
    select
        event.break_id, event.as_of, 2,
        phrase('explain.break_runbook', jsonb_build_object('runbook', phrase('runbook.' || event.class), 'facts', jsonb_build_array(
            phrase('case.subject', jsonb_build_object(
                'kind', phrase('word.' || split_part(event.subject_id, ':', 1)),
                'id', replace(substr(event.subject_id, strpos(event.subject_id, ':') + 1), ':', ' ')
            )),
            phrase('explain.at_risk', 'amount', money_text(event.amount_milliunits, event.currency)),
            phrase('explain.open_since', 'at', rfc3339(event.opened_at)),
            phrase('explain.for_team', jsonb_build_object('team', phrase('word.' || break_classes.owner_team)))
        )))
    from event
    inner join break_classes on break_classes.class = event.class
    where event.next_as_of is null
        and event.is_open
    union all
    select
        decided.break_id, decided.decided_at, 3,
        phrase('explain.break_decided', jsonb_build_object(
            'state', phrase('status.' || state), 'at', rfc3339(decided_at),
            'people', coalesce(phrase('list.and', 'first', decided_by, 'second', approved_by), to_jsonb(decided_by)),
            'case', coalesce(phrase('explain.case_until', 'id', case_id, 'at', rfc3339(holds_until)), to_jsonb(case_id)),
            'reason', coalesce(phrase('explain.no_longer_since', 'what', reason, 'at', rfc3339(ended_at)), to_jsonb(reason))
        ))
    from present
    cross join decided_breaks_of(present.clock, array(select event.break_id from event)) as decided
    union all
    select about.break_id, decision.at, 4, decision.words
    from present
    cross join standing_decisions_at(present.clock) as decision
    cross join lateral unnest(decision.break_ids) as about (break_id)
    where decision.break_ids && array(select event.break_id from event)
        and about.break_id in (select event.break_id from event)
)
select text::text, place > 1 as is_detail
from (
    select break_id, as_of, place, text from line
    union all
    select
        pending_breaks.break_id,
        'infinity',
        1,
        phrase('explain.break_pending',
            jsonb_build_object('class', class, 'at', rfc3339(breaks_at), 'detail', detail))
    from pending_breaks
    where pending_breaks.order_id = any(string_to_array(:'ids'::text, chr(31)))
        or pending_breaks.charge_id = any(string_to_array(:'ids'::text, chr(31)))
        or pending_breaks.break_id = any(string_to_array(:'ids'::text, chr(31)))
) as entry
order by break_id, as_of, place, text::text collate "C";
