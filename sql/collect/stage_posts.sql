-- purpose: staging table for signed texts on their way to the notification queue.
-- grain:   one row per posted signed text: whole posts first, then items nested in quarantined posts
create temp table if not exists staged_posts (
    place bigint not null,
    is_quarantined boolean not null,
    signed_sha256 text collate "C" not null,
    sha256 bytea not null,
    verdict text collate "C" not null,
    -- Limit that the post counts against; empty if only the queue's limit applies.
    kind text collate "C" not null,
    received_at timestamptz not null,
    body bytea not null
) on commit delete rows;
