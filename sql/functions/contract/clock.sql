-- purpose: Returns the clock of the contract's views: now, or the latest known instant if a run had a clock ahead of this
--          server's. Views call it in a subselect, so that it is evaluated once.
create or replace function payrecon.contract_clock() returns timestamptz
language sql stable parallel safe
as $$
    select greatest(
        now(),
        (select max(known_at) from payrecon.batches),
        (select max(as_of) from payrecon.detections),
        (select max(as_of) from payrecon.runs),
        (select max(at) from payrecon.case_decisions),
        (select max(at) from payrecon.case_undos),
        (select max(added_at) from payrecon.list_entries),
        (select max(removed_at) from payrecon.list_removals)
    )
$$;

-- Returns the version of the contract's views. New columns are appended under the same version; removing a column or
-- changing its type or meaning raises it.
create or replace function payrecon.contract_version() returns integer
language sql immutable parallel safe
as $$
    select 1
$$;
