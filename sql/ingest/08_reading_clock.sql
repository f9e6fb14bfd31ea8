-- purpose: the clock that dates a batch's rows without an own change instant.
-- parameters: batch_id (bigint)
-- grain:   one row
select reading_clock(:'batch_id'::bigint) as stated_at;
