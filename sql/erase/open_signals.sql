-- purpose: updates the signal ids of open signals about an erased user. Runs before signal_events, whose ids change too.
-- parameters: user_id, pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update open_signals
set signal_id = signal_hash(signal_events.rule, signal_events.subject_kind, renamed.subject_id)
from signal_events
cross join lateral (
    select erased_subject(
        signal_events.subject_kind, signal_events.subject_id, :'user_id'::text, :'pattern'::text, :'pseudonym'::text
    ) as subject_id
) as renamed
where signal_events.signal_id = open_signals.signal_id
    and signal_events.as_of = open_signals.as_of
    and signal_events.attempt = open_signals.attempt
    and signal_events.subject_kind in ('user', 'ring')
    and signal_events.subject_id <> renamed.subject_id;
