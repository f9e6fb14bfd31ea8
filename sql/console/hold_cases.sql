-- purpose: has others wait who gather the same cases, until the transaction ends; all in the same order.
-- parameters: case_ids (text[])
-- grain:   one row
select count(*)
from (
    select pg_advisory_xact_lock(1885434792, held.key)
    from (
        select distinct hashtext(named.case_id) as key from unnest(:'case_ids'::text[]) as named (case_id) order by key
    ) as held
) as locked;
