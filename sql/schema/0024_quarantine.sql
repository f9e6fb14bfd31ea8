-- purpose: what is not genuine and was tied to nobody: one figure per source and day, a capped number of samples, and one
--          break where it is a storm. Whoever can reach the webhook can post anything about anybody; it frames nobody.

-- Counted at the webhook's door and not taken by a batch yet.
create table payrecon.refused_posts (
    day date not null,
    item_count bigint not null,
    byte_count bigint not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    constraint refused_posts_pkey primary key (day)
);

-- Counted by a batch. What was judged anew and is genuine after all is counted back, without instants.
create table payrecon.quarantine_counts (
    source text collate "C" not null,
    day date not null,
    batch_id bigint not null,
    item_count bigint not null,
    byte_count bigint not null,
    first_at timestamptz,
    last_at timestamptz,
    constraint quarantine_counts_pkey primary key (source, day, batch_id)
);

-- Samples, as they came: enough to see what it was, and to judge it anew. Base64, so that no list and no terminal reads
-- more into them. batch_id: known since then; null until a batch takes them. released_batch_id: genuine after all, and
-- evidence since then.
create table payrecon.quarantined_items (
    source text collate "C" not null,
    day date not null,
    sha256 text collate "C" not null,
    kind text collate "C" not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    verdict text collate "C" not null,
    reason text collate "C" not null,
    reader_sha256 text collate "C" not null,
    body_base64 text collate "C" not null,
    byte_count bigint not null,
    batch_id bigint,
    released_batch_id bigint,
    received_at timestamptz not null,
    constraint quarantined_items_pkey primary key (source, day, sha256)
);
