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
        quarantine_counts.source, quarantine_counts.day, quarantine_counts.batch_id, null::text, quarantine_counts.item_count,
        quarantine_counts.byte_count, quarantine_counts.first_at, quarantine_counts.last_at
    from quarantine_counts
    union all
    select
        untied.source, untied.day, null, encode(untied.sha256, 'hex'), 1, untied.byte_count, untied.received_at,
        untied.received_at
    from payrecon.untied_evidence() as untied
$$;

-- Returns quarantined items whose bytes are stored.
create or replace function payrecon.quarantine_kept() returns table (
    source text, day date, sha256 text, reason text, byte_count bigint
)
language sql stable
as $$
    select
        quarantined_items.source, quarantined_items.day, quarantined_items.sha256, quarantined_items.reason,
        quarantined_items.byte_count
    from quarantined_items
    where quarantined_items.released_batch_id is null
        and quarantined_items.batch_id is not null
    union all
    select untied.source, untied.day, encode(untied.sha256, 'hex'), evidence.reason, untied.byte_count
    from payrecon.untied_evidence() as untied
    inner join judged_evidence as evidence on evidence.sha256 = untied.sha256
$$;
