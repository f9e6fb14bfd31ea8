-- purpose: the latest instant that any run, batch, detection or decision of this database knows.
-- parameters: none
-- grain:   one row; null in an empty database
select greatest(
    (select max(known_at) from batches),
    (select max(as_of) from detections),
    (select max(as_of) from runs),
    (select max(at) from case_decisions),
    (select max(at) from case_undos)
) as latest_at;
