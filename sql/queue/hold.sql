-- purpose: has whoever else acts on these cases wait until the transaction ends, always in the same order; of more than can be held
--          one by one, on any case. What decides is read by statements after this one.
-- parameters: case_ids (text[])
-- grain:   one row
select
    case
        when cardinality(:'case_ids'::text[]) > 1000 then (select count(*) from pg_advisory_xact_lock(1885434794))
        else (select count(*) from pg_advisory_xact_lock_shared(1885434794)) + (
            select count(*)
            from (
                select pg_advisory_xact_lock(case_lock(), held.key)
                from (
                    select distinct hashtext(named.case_id) as key from unnest(:'case_ids'::text[]) as named (case_id) order by key
                ) as held
            ) as locked
        )
    end as lock_count;
