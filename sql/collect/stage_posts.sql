-- purpose: where what Apple signed is copied to on its way to the webhook's queue.
-- grain:   one row per signed text that was posted: own posts first, then what lies in hostile ones
create temp table if not exists staged_posts (
    place bigint not null,
    is_hostile boolean not null,
    signed_sha256 text collate "C" not null,
    sha256 bytea not null,
    verdict text collate "C" not null,
    -- What bound it counts against; empty for the queue's alone.
    kind text collate "C" not null,
    received_at timestamptz not null,
    body bytea not null
) on commit delete rows;
