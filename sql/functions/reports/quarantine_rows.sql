-- purpose: Returns the contents of the quarantine: counts that batches kept of discarded items, and each evidence item that
--          is not genuine and tied to nobody.
-- grain:   one row per count of a batch, without a hash, and per evidence item
create or replace function payrecon.quarantine_rows() returns table (
    source text, day date, batch_id bigint, sha256 text, item_count bigint, byte_count bigint, first_at timestamptz,
    last_at timestamptz
)
language sql stable
as $$
    select
        source, day, batch_id, null::text, item_count, byte_count, first_at, last_at
    from quarantine_counts
    union all
    select
        source, day, null, encode(sha256, 'hex'), 1, byte_count, received_at, received_at
    from payrecon.untied_evidence() as untied
$$;

-- Returns quarantined items whose bytes are stored.
create or replace function payrecon.quarantine_kept() returns table (
    source text, day date, sha256 text, reason jsonb, byte_count bigint
)
language sql stable
as $$
    select
        source, day, sha256, reason, byte_count
    from quarantined_items
    where released_batch_id is null
        and batch_id is not null
    union all
    select untied.source, untied.day, encode(untied.sha256, 'hex'), evidence.reason, untied.byte_count
    from payrecon.untied_evidence() as untied
    inner join judged_evidence as evidence on evidence.sha256 = untied.sha256
$$;
