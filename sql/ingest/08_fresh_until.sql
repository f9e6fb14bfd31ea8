-- purpose: the last instant of a change that a batch can know; a row dated later is not counted as fresh input.
-- parameters: batch_id (bigint)
-- grain:   one row
select latest_credible_instant(:'batch_id'::bigint) as fresh_until;
