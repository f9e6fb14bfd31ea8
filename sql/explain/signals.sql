-- purpose: the signals on a subject, as lines for readers.
-- parameters: ids (text): order ids, charge ids, user ids and signal ids, separated by U+001F
-- grain:   one row per signal
select 'signal ' || newest.signal_id || ': ' || newest.rule || ' (' || newest.state || ', version '
    || newest.rule_version || ') ' || case when newest.is_open then 'open' else 'lapsed' end || ' as of '
    || rfc3339(newest.as_of) || ': ' || newest.detail as text
from (
    select distinct on (signal_events.signal_id) signal_events.*
    from signal_events
    where signal_events.order_id = any(string_to_array(:'ids'::text, chr(31)))
        or signal_events.charge_id = any(string_to_array(:'ids'::text, chr(31)))
        or signal_events.signal_id = any(string_to_array(:'ids'::text, chr(31)))
        or (signal_events.subject_kind = 'user' and signal_events.subject_id = any(string_to_array(:'ids'::text, chr(31))))
    order by signal_events.signal_id, signal_events.as_of desc, signal_events.attempt desc
) as newest
order by text;
