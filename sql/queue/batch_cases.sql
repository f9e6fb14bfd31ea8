-- purpose: the cases of a batch of decisions.
-- parameters: batch_id (text)
-- grain:   one row per case
select distinct case_batches.case_id
from case_batches
where case_batches.batch_id = :'batch_id'::text
order by case_batches.case_id;
