-- purpose: the clock of those views of the contract that need one: now, or the latest instant that anything here knows, as
--          where a run had a clock ahead of this server's. Views ask for it in a select of its own, that is once.
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

-- Version of the views of the contract. Columns are added at the end under the same version; one that goes, changes its type
-- or its meaning raises it.
create or replace function payrecon.contract_version() returns integer
language sql immutable parallel safe
as $$
    select 1
$$;
