-- purpose: stores later verdicts, and returns the content of their seal in the audit chain. An item stored under the
--          combined hash of a container that was not genuine is stored under its own hash from now on.
-- parameters: batch_id (bigint), reader_sha256 (text)
-- grain:   one row: the number of verdicts, the digest over their rows, and the chunk that they are sealed as
with renamed as materialized (
    select distinct on (staged_evidence.former_sha256) staged_evidence.*
    from staged_evidence
    inner join evidence
        on evidence.sha256 = staged_evidence.former_sha256
        and evidence.verdict <> 'genuine'
    where staged_evidence.former_sha256 is not null
    order by staged_evidence.former_sha256, staged_evidence.item
),
renamed_before as materialized (
    select judgements.sha256
    from renamed
    inner join judgements on judgements.sha256 = renamed.former_sha256
    where judgements.replaced_by is not null
),
judged as (
    select staged_evidence.*, staged_evidence.sha256 as judged_sha256, null::bytea as replaced_by
    from fresh_evidence
    inner join staged_evidence using (sha256, item)
    where fresh_evidence.is_known
    union all
    select renamed.*, renamed.former_sha256, renamed.sha256
    from renamed
    where not exists (select 1 from renamed_before where renamed_before.sha256 = renamed.former_sha256)
),
recorded as (
    insert into judgements (
        sha256, batch_id, chunk, reader_sha256, verdict, reason, kind, bundle_id, environment, charge_id, transaction_id,
        original_transaction_id, replaced_by, signed_at
    )
    select
        judged.judged_sha256, batches.batch_id, batches.items_done, :'reader_sha256'::text, judged.verdict,
        judged.reason, judged.kind, judged.bundle_id, judged.environment,
        case when judged.replaced_by is null then judged.charge_id end, judged.transaction_id,
        judged.original_transaction_id, judged.replaced_by, judged.signed_at
    from judged
    inner join batches on batches.batch_id = :'batch_id'::bigint
    on conflict do nothing
    returning judgements.*
)
select
    count(*) as row_count,
    coalesce(
        encode(
            sha256(string_agg(
                judgement_row_hash(
                    recorded.sha256, recorded.batch_id, recorded.chunk, recorded.reader_sha256, recorded.verdict, recorded.reason,
                    recorded.kind, recorded.bundle_id, recorded.environment, recorded.charge_id, recorded.transaction_id,
                    recorded.original_transaction_id, recorded.replaced_by, recorded.signed_at
                ), ''::bytea order by recorded.sha256
            )), 'hex'
        ), ''
    ) as digest,
    coalesce(min(recorded.chunk), 0) as chunk
from recorded;
