-- purpose: updates the signal ids of open signals about an erased user. Runs before signal_events, whose ids change too.
-- parameters: pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update open_signals
set signal_id = signal_hash(
    signal_events.rule, signal_events.subject_kind,
    regexp_replace(signal_events.subject_id, :'pattern'::text, :'pseudonym'::text, 'g')
)
from signal_events
where signal_events.signal_id = open_signals.signal_id
    and signal_events.as_of = open_signals.as_of
    and signal_events.attempt = open_signals.attempt
    and signal_events.subject_kind in ('user', 'ring')
    and signal_events.subject_id ~ :'pattern'::text;
