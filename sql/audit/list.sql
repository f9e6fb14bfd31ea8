-- purpose: the audit chain as text for readers.
-- parameters: as_of (timestamptz): acts up to this clock
-- grain:   one row per entry, oldest first
select
    number, rfc3339(at) as at, actor, login, act, subject, details, previous_hash, hash, rfc3339(recorded_at) as recorded_at
from audit_log
where at <= :'as_of'::timestamptz
order by number;
