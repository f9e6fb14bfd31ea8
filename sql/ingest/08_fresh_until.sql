-- purpose: the latest change instant that counts as fresh input of a batch; rows dated later do not count.
-- parameters: batch_id (bigint)
-- grain:   one row
select latest_credible_instant(:'batch_id'::bigint) as fresh_until;
