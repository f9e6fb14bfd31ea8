-- purpose: has one gather cases at a time, until the transaction ends.
-- parameters: waits (boolean): for whoever does already
-- grain:   one row: whether it is the turn of this one
select
    case
        when :'waits'::boolean then (select true from pg_advisory_xact_lock(1885434791))
        else pg_try_advisory_xact_lock(1885434791)
    end as is_mine;
