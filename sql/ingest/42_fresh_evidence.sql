-- purpose: staged items that are new. A repeat costs only this look-up.
-- grain:   one row per item: the best verdict of its hash in the chunk, then the first by reception, then source
insert into fresh_evidence (sha256, item, is_known)
with known as materialized (
    select evidence.sha256, evidence.verdict
    from staged_evidence
    inner join judged_evidence as evidence on evidence.sha256 = staged_evidence.sha256
)
select distinct on (staged_evidence.sha256) staged_evidence.sha256, staged_evidence.item, false
from staged_evidence
where not exists (select 1 from known where known.sha256 = staged_evidence.sha256)
    -- Rows of an unsigned copy of something received from Apple are stored under their own hashes.
    and not (
        staged_evidence.verdict <> 'genuine'
        and staged_evidence.sha256 <> staged_evidence.top_sha256
        and exists (
            select 1
            from staged_evidence as parent
            inner join known on known.sha256 = parent.sha256
            where parent.sha256 = staged_evidence.parent_sha256
                and parent.verdict <> 'genuine'
                and known.verdict = 'genuine'
        )
    )
order by
    staged_evidence.sha256, verdict_rank(staged_evidence.verdict, staged_evidence.reason), staged_evidence.received_at,
    staged_evidence.source, staged_evidence.item;
