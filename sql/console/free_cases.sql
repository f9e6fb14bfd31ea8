-- purpose: the best open case that nobody has, that is not set aside and for nobody else, as far as an account's inboxes reach;
--          whoever asks at the same moment gets another one, as long as this transaction lasts, and nobody acts on it meanwhile
--          (queue/hold.sql).
-- parameters: as_of (timestamptz), inboxes (text[]): none for all; is_mine (boolean): one that is for this account, else one
--             for nobody; after (text): place behind which it stands; rows (bigint): how many of the best are tried
-- grain:   one row, or none when nobody waits, or when others are asking for all that were tried
with held as materialized (
    select case_leases.case_id
    from case_leases
    where case_leases.lease_until > :'as_of'::timestamptz
),
best as materialized (
    select waiting.case_id, waiting.place
    from console_cases as waiting
    where waiting.status = 'open'
        and waiting.place > :'after'::text collate "C"
        and case when :'is_mine'::boolean then waiting.assignee = acting_account() else waiting.assignee is null end
        and (waiting.returns_at is null or waiting.returns_at <= :'as_of'::timestamptz)
        and (cardinality(:'inboxes'::text[]) = 0 or waiting.teams && :'inboxes'::text[])
        and waiting.case_id not in (select held.case_id from held)
    order by waiting.place
    -- As in the queue: a team that hardly any case is for is looked for by itself.
    limit greatest(:'rows'::bigint, case when cardinality(:'inboxes'::text[]) = 0 then 0 else 1000 end)
)
-- In their order: what is not tried is not locked, so no second order is asked for.
select best.case_id, best.place
from best
where pg_try_advisory_xact_lock(case_lock(), hashtext(best.case_id))
limit 1;
