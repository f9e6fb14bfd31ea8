-- purpose: the best open cases that nobody has, that are not set aside and for nobody else, as far as an account's inboxes
--          reach: first those that are for it, then all.
-- parameters: as_of (timestamptz), inboxes (text[]): none for all; is_mine (boolean): those for this account, else those
--             for nobody; after (text): place behind which they stand; rows (bigint)
-- grain:   one row per case
with held as materialized (
    select case_leases.case_id
    from case_leases
    where case_leases.lease_until > :'as_of'::timestamptz
)
select waiting.case_id, waiting.place
from console_cases as waiting
where waiting.status = 'open'
    and waiting.place > :'after'::text collate "C"
    and case when :'is_mine'::boolean then waiting.assignee = acting_account() else waiting.assignee is null end
    and (waiting.returns_at is null or waiting.returns_at <= :'as_of'::timestamptz)
    and (cardinality(:'inboxes'::text[]) = 0 or waiting.teams && :'inboxes'::text[])
    and waiting.case_id not in (select held.case_id from held)
order by waiting.place
limit :'rows'::bigint;
