-- purpose: has one gather cases alone, until the transaction ends, or some at a time of whom nobody does.
-- parameters: all (boolean): whether alone; waits (boolean): for whoever is in the way
-- grain:   one row: whether it is the turn of this one
select
    case
        when :'all'::boolean and :'waits'::boolean then (select true from pg_advisory_xact_lock(1885434791))
        when :'all'::boolean then pg_try_advisory_xact_lock(1885434791)
        else pg_try_advisory_xact_lock_shared(1885434791)
    end as is_mine;
