-- purpose: takes the lock for gathering cases until the transaction ends: exclusive for all cases, shared for some.
-- parameters: all (boolean): whether the lock is exclusive; waits (boolean): whether to wait for other holders
-- grain:   one row: whether the lock was taken
select
    case
        when :'all'::boolean and :'waits'::boolean then (select true from pg_advisory_xact_lock(1885434791))
        when :'all'::boolean then pg_try_advisory_xact_lock(1885434791)
        else pg_try_advisory_xact_lock_shared(1885434791)
    end as is_mine;
