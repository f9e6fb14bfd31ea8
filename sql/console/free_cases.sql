-- purpose: the best open case that has no assignee, is not set aside and is not reserved for another account, limited
--          to an account's inboxes. Locks the case for this transaction: concurrent callers get another one, and nobody
--          acts on it (queue/lock_cases.sql).
-- parameters: as_of (timestamptz), inboxes (text[]): none for all; is_mine (boolean): a case reserved for this account,
--             else one reserved for nobody; after (text): sort key after which to search; rows (bigint): how many of
--             the best are tried
-- grain:   one row; none if no case is open, or if concurrent callers have locked all that were tried
with lease as materialized (
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
        and waiting.case_id not in (select lease.case_id from lease)
    order by waiting.place
    -- As in the queue: cases of a team that has hardly any are found by a separate search.
    limit greatest(:'rows'::bigint, case when cardinality(:'inboxes'::text[]) = 0 then 0 else 1000 end)
)
-- Tries the cases in order and stops at the first lock, so no second sort is needed.
select best.case_id, best.place
from best
where pg_try_advisory_xact_lock(case_lock(), hashtext(best.case_id))
limit 1;
