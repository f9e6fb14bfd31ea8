-- purpose: what a batch of verdicts changed.
-- parameters: batch_id (bigint)
-- grain:   one row: verdicts that are another way, those that are genuine now, and items that could not be read before
select
    count(*) filter (where judgements.replaced_by is null) as changed_count,
    count(*) filter (where judgements.verdict = 'genuine' and judgements.replaced_by is null) as genuine_count,
    count(*) filter (where evidence.verdict = 'malformed' and judgements.verdict <> 'malformed') as readable_count
from judgements
inner join evidence on evidence.sha256 = judgements.sha256
where judgements.batch_id = :'batch_id'::bigint;
