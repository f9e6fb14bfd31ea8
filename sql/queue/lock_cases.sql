-- purpose: locks cases until the transaction ends, in a fixed order; above a limit it locks all cases. The statements after
--          this one read the decision's facts.
-- parameters: case_ids (text[])
-- grain:   one row
select
    case
        when cardinality(:'case_ids'::text[]) > 1000 then (select count(*) from pg_advisory_xact_lock(1885434794))
        else (select count(*) from pg_advisory_xact_lock_shared(1885434794)) + (
            select count(*)
            from (
                select pg_advisory_xact_lock(case_lock(), lock_key.key)
                from (
                    select distinct hashtext(named.case_id) as key from unnest(:'case_ids'::text[]) as named (case_id) order by key
                ) as lock_key
            ) as locked
        )
    end as lock_count;
