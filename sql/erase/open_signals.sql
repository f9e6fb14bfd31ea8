-- purpose: updates the signal ids of open signals about an erased user. Runs before signal_events, whose ids change too.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update open_signals
set signal_id = signal_hash(signal_events.rule, 'user', :'pseudonym'::text)
from signal_events
where signal_events.signal_id = open_signals.signal_id
    and signal_events.as_of = open_signals.as_of
    and signal_events.attempt = open_signals.attempt
    and signal_events.subject_kind = 'user'
    and signal_events.subject_id = :'user_id'::text;
