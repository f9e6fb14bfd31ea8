-- purpose: the latest instant that any run, batch, detection, list or decision of this database knows.
-- parameters: none
-- grain:   one row; null in an empty database
select greatest(
    (select max(known_at) from batches),
    (select max(as_of) from detections),
    (select max(as_of) from runs),
    (select max(at) from case_decisions),
    (select max(at) from case_undos),
    (select max(added_at) from list_entries),
    (select max(removed_at) from list_removals),
    (select max(decided_at) from parked_outcomes)
) as latest_at;
