-- purpose: known items that were never genuine and get another verdict now. From the same reader it is a better one,
--          because the item is in another container or from Apple; from another reader it is any other one. A copy never
--          weakens the verdict of an item that this reader received from Apple. An unchanged verdict is only recorded in
--          the work list.
-- parameters: reader_sha256 (text): reader of the staged items
-- grain:   one row per item: the best verdict of its hash in the chunk
insert into fresh_evidence (sha256, item, is_known)
with from_apple as materialized (
    select distinct unproven_evidence.sha256
    from staged_evidence
    inner join unproven_evidence on unproven_evidence.sha256 = staged_evidence.top_sha256
    where unproven_evidence.is_from_apple
        and unproven_evidence.reader_sha256 = :'reader_sha256'::text
)
select distinct on (staged_evidence.sha256) staged_evidence.sha256, staged_evidence.item, true
from staged_evidence
inner join judged_evidence as known
    on known.sha256 = staged_evidence.sha256
    and known.first_verdict <> 'genuine'
inner join batches on batches.batch_id = known.batch_id
left join lateral (
    select judgements.reader_sha256
    from judgements
    where judgements.sha256 = known.sha256
    order by judgements.batch_id desc, judgements.chunk desc
    limit 1
) as latest on true
where known.verdict <> 'genuine'
    and case
        when coalesce(latest.reader_sha256, batches.reader_sha256, '') = :'reader_sha256'::text
            or (
                not staged_evidence.is_from_apple
                and staged_evidence.top_sha256 in (select from_apple.sha256 from from_apple)
            )
            then verdict_rank(staged_evidence.verdict, staged_evidence.reason) < verdict_rank(known.verdict, known.reason)
        else (
            staged_evidence.verdict, staged_evidence.reason, staged_evidence.kind, staged_evidence.bundle_id,
            staged_evidence.environment
        ) <> (known.verdict, known.reason, known.kind, known.bundle_id, known.environment)
    end
order by
    staged_evidence.sha256, verdict_rank(staged_evidence.verdict, staged_evidence.reason), staged_evidence.received_at,
    staged_evidence.source, staged_evidence.item;
