-- purpose: staging table for input that is not genuine and tied to nobody.
-- grain:   one row per received item
create temp table if not exists staged_quarantine (
    source text collate "C" not null,
    sha256 text collate "C" not null,
    kind text collate "C" not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    verdict text collate "C" not null,
    reason jsonb not null,
    body_base64 text collate "C" not null,
    byte_count bigint not null,
    received_at timestamptz not null
) on commit delete rows;
