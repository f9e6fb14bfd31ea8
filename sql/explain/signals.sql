-- purpose: the signals on a subject and about a user, as phrases.
-- parameters: ids (text): ids of orders, charges and signals, separated by U+001F; id (text): that of a user, device or other subject
-- grain:   one row per signal
select
    phrase('explain.signal', jsonb_build_object(
        'id', newest.signal_id, 'rule', newest.rule, 'state', phrase('word.' || newest.state), 'version', newest.rule_version,
        'open', phrase(case when newest.is_open then 'word.open' else 'word.lapsed' end), 'at', rfc3339(newest.as_of),
        'subject', phrase('case.subject', jsonb_build_object('kind', phrase('word.' || newest.subject_kind), 'id', newest.subject_id)),
        'detail', newest.detail
    ))::text as text,
    false as is_detail
from (
    select distinct on (signal_events.signal_id) signal_events.*
    from signal_events
    where signal_events.order_id = any(string_to_array(:'ids'::text, chr(31)))
        or signal_events.charge_id = any(string_to_array(:'ids'::text, chr(31)))
        or signal_events.signal_id = any(string_to_array(:'ids'::text, chr(31)))
        or signal_events.subject_id = :'id'::text
        or signal_events.user_id = :'id'::text
    order by signal_events.signal_id, signal_events.as_of desc, signal_events.attempt desc
) as newest
order by newest.signal_id;
