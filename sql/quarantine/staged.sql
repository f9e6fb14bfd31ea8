-- purpose: where input that is not genuine and concerns nobody is copied to before it is counted.
-- grain:   one row per item that came
create temp table if not exists staged_quarantine (
    source text collate "C" not null,
    sha256 text collate "C" not null,
    kind text collate "C" not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    verdict text collate "C" not null,
    reason text collate "C" not null,
    body_base64 text collate "C" not null,
    byte_count bigint not null,
    received_at timestamptz not null
) on commit delete rows;
