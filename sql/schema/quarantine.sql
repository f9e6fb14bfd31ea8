-- purpose: Queue and counts of posted notifications, and quarantined input (not genuine, tied to nobody) as bounded counts and samples.

-- Posts that were answered with 200 and no batch has verified yet. The batch removes them in the transaction that stores their
-- evidence.
-- grain: one row per post
create table payrecon.received_notifications (
    post_id bigint generated always as identity,  -- Number of the post
    received_at timestamptz not null,             -- When we received it
    body bytea not null,                          -- Body of the post
    signed_sha256 text collate "C",               -- Hash of the signed part: equal for posts that differ only around it
    constraint received_notifications_pkey primary key (post_id)
);
-- Stores a signed text once, however often it is posted.
create unique index received_notifications_by_signed on payrecon.received_notifications (signed_sha256);

-- Counts of posts that were refused, until a batch takes them over.
-- grain: one row per day
create table payrecon.refused_notifications (
    day date not null,              -- Day, in UTC
    item_count bigint not null,     -- Posts
    byte_count bigint not null,     -- Bytes of the posts
    first_at timestamptz not null,  -- First post
    last_at timestamptz not null,   -- Last post
    constraint refused_notifications_pkey primary key (day)
);

-- Counts of posts with a separate limit, until a batch takes them over.
-- grain: one row per day and kind
create table payrecon.door_counts (
    day date not null,               -- Day, in UTC
    kind text collate "C" not null,  -- foreign: for another app; receipt: a receipt of ours; repeated: known or queued already
    item_count bigint not null,      -- Posts
    byte_count bigint not null,      -- Bytes of the posts
    constraint door_counts_pkey primary key (day, kind),
    constraint door_counts_kind check (kind in ('foreign', 'receipt', 'repeated'))
);

-- Counts of items that are not genuine and tied to nobody. Items that prove genuine later are subtracted.
-- grain: one row per source, day and batch
create table payrecon.quarantine_counts (
    source text collate "C" not null,  -- Sender: client, notification, api or import
    day date not null,                 -- Day, in UTC
    batch_id bigint not null,          -- Batch that first stated it: payrecon.batches
    item_count bigint not null,        -- Items; negative where they proved genuine
    byte_count bigint not null,        -- Bytes of the items
    first_at timestamptz,              -- First item; null in rows that subtract
    last_at timestamptz,               -- Last item; null in rows that subtract
    constraint quarantine_counts_pkey primary key (source, day, batch_id)
);

-- Samples of such items, enough to inspect them and to judge them again.
-- grain: one row per source, day and item
create table payrecon.quarantined_items (
    source text collate "C" not null,         -- Sender: client, notification, api or import
    day date not null,                        -- Day, in UTC
    sha256 text collate "C" not null,         -- Hash of the bytes, in hexadecimal, since a sample is no evidence
    kind text collate "C" not null,           -- Kind of evidence it claims to be
    bundle_id text collate "C" not null,      -- App, by its bundle id
    environment text collate "C" not null,    -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    verdict text collate "C" not null,        -- forged, malformed, foreign or pending
    reason jsonb not null,                    -- Phrase: why it is not genuine
    reader_sha256 text collate "C" not null,  -- Reader that judged it: payrecon.readers
    body_base64 text collate "C" not null,    -- Bytes in base64, so that no list or terminal interprets them
    byte_count bigint not null,               -- Length of the item
    batch_id bigint,                          -- Batch that took over a posted sample; null until then
    released_batch_id bigint,                 -- Batch that stored it as genuine evidence; null while it is a sample
    received_at timestamptz not null,         -- When we received it
    constraint quarantined_items_pkey primary key (source, day, sha256)
);
