-- purpose: entries of the audit chain in order, each with the hash recomputed from its fields.
-- parameters: after (bigint): the last number seen; row_max (bigint)
-- grain:   one row per entry
select
    number, previous_hash, hash,
    audit_hash(number, at, actor, login, act, subject, details, previous_hash, recorded_at) as true_hash
from audit_log
where number > :'after'::bigint
order by number
limit :'row_max'::bigint;
