-- purpose: verifies later verdicts against the seals of the audit chain; reports changed, removed and added verdicts.
-- grain:   one row per chunk of verdicts that differs from its seal
with chunk_found as (
    select
        judgements.batch_id, judgements.chunk, count(*) as row_count,
        encode(
            sha256(string_agg(
                judgement_row_hash(
                    judgements.sha256, judgements.batch_id, judgements.chunk, judgements.reader_sha256, judgements.verdict,
                    judgements.reason, judgements.kind, judgements.bundle_id, judgements.environment, judgements.charge_id,
                    judgements.transaction_id, judgements.original_transaction_id, judgements.replaced_by, judgements.signed_at
                ), ''::bytea order by judgements.sha256
            )), 'hex'
        ) as digest
    from judgements
    group by judgements.batch_id, judgements.chunk
),
seal as (select seals.* from audit_seals('evidence_judged') as seals)
select
    'verdicts' as kind,
    'of batch ' || coalesce(chunk_found.batch_id, seal.batch_id) || ', from item '
        || coalesce(chunk_found.chunk, seal.chunk) + 1 as subject,
    case
        when seal.number is null then chunk_found.row_count || ' that no entry seals'
        when chunk_found.row_count is distinct from seal.row_count
            then 'entry ' || seal.number || ' sealed ' || seal.row_count || ', there are ' || coalesce(chunk_found.row_count, 0)
        else 'not those that entry ' || seal.number || ' sealed: one was changed or replaced'
    end as fault
from chunk_found
full join seal on seal.batch_id = chunk_found.batch_id and seal.chunk = chunk_found.chunk
where (chunk_found.row_count, chunk_found.digest) is distinct from (seal.row_count, seal.digest)
order by coalesce(chunk_found.batch_id, seal.batch_id), coalesce(chunk_found.chunk, seal.chunk), seal.number;
