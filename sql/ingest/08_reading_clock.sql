-- purpose: the clock by which rows of a batch count that do not say when they were changed.
-- parameters: batch_id (bigint)
-- grain:   one row
select reading_clock(:'batch_id'::bigint) as told_at;
