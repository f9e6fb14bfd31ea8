-- purpose: the effects of a batch of verdicts.
-- parameters: batch_id (bigint)
-- grain:   one row: changed verdicts, verdicts that became genuine, and items that became readable
select
    count(*) filter (where judgements.replaced_by is null) as changed_count,
    count(*) filter (where judgements.verdict = 'genuine' and judgements.replaced_by is null) as genuine_count,
    count(*) filter (where evidence.verdict = 'malformed' and judgements.verdict <> 'malformed') as readable_count
from judgements
inner join evidence on evidence.sha256 = judgements.sha256
where judgements.batch_id = :'batch_id'::bigint;
