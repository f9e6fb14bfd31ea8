-- purpose: verifies all evidence against its hashes and the seals of the audit chain. Reports bytes that do not hash to
--          their key, rows that differ from their recording, and chunks with missing or added rows. Reads the bytes
--          once, in physical order.
-- grain:   one row per sealed chunk, and per chunk that has no seal
with row_found as (
    select
        evidence.batch_id, evidence.chunk, evidence.sha256,
        case
            when evidence.sha256
                = sha256(evidence_text(signed_headers.header, signed_headers.frame, evidence.body, evidence.unpacked_length))
                then evidence.header_key is null or signed_headers.header is not null
            -- An item nested in an unsigned container that is not genuine is keyed by the hash of both. A forger who repeats a
            -- record therefore cannot occupy its key. The same applies to an item whose bytes equal its container's.
            else exists (
                select 1
                from evidence_links
                where evidence_links.sha256 = evidence.sha256
                    and sha256(convert_to(encode(evidence_links.parent_sha256, 'hex'), 'UTF8') || evidence.body) = evidence.sha256
            )
        end as is_whole,
        evidence.row_hash,
        evidence_row_hash(
            evidence.sha256, evidence.kind, evidence.verdict, evidence.reason, evidence.bundle_id, evidence.environment,
            evidence.source, evidence.header_key, evidence.charge_id, evidence.transaction_id,
            evidence.original_transaction_id, evidence.signed_at, evidence.received_at
        ) as true_hash
    from evidence
    left join signed_headers on signed_headers.header_key = evidence.header_key
),
chunk_found as (
    select
        batch_id, chunk, count(*) as row_count,
        encode(sha256(string_agg(true_hash, ''::bytea order by sha256)), 'hex') as digest,
        count(*) filter (where not is_whole) as broken_count,
        min(encode(sha256, 'hex')) filter (where not is_whole) as first_broken,
        count(*) filter (where row_hash <> true_hash) as changed_count,
        min(encode(sha256, 'hex')) filter (where row_hash <> true_hash) as first_changed
    from row_found
    group by batch_id, chunk
),
seal as (select seals.* from audit_seals('evidence_sealed') as seals)
select
    coalesce(chunk_found.batch_id, seal.batch_id) as batch_id,
    coalesce(chunk_found.chunk, seal.chunk) as chunk,
    coalesce(batches.file_name, '') as file_name,
    coalesce(chunk_found.row_count, 0) as row_count,
    seal.row_count as sealed_count, seal.number as sealed_by,
    coalesce(chunk_found.digest = seal.digest, false) as is_sealed,
    coalesce(chunk_found.broken_count, 0) as broken_count,
    chunk_found.first_broken,
    coalesce(chunk_found.changed_count, 0) as changed_count,
    chunk_found.first_changed
from chunk_found
full join seal on seal.batch_id = chunk_found.batch_id and seal.chunk = chunk_found.chunk
left join batches on batches.batch_id = coalesce(chunk_found.batch_id, seal.batch_id)
order by 1, 2, seal.number;
