-- purpose: how far Apple was asked, what Apple did not know, and posts that wait for their verification.

-- Progress of one list of Apple's: a notification window, a customer's history or refunds.
create table payrecon.collections (
    job text collate "C" not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    subject text collate "C" not null,
    cursor text collate "C",
    batch_id bigint,
    window_from timestamptz,
    window_to timestamptz,
    collected_to timestamptz,
    constraint collections_pkey primary key (job, bundle_id, environment, subject),
    constraint collections_job check (job in ('notifications', 'transactions', 'refunds', 'receipts'))
);

-- Ids that neither App Store knew when asked; never proof of anything by itself, and asked again.
create table payrecon.api_misses (
    bundle_id text collate "C" not null,
    transaction_id text collate "C" not null,
    asked_at timestamptz not null,
    constraint api_misses_pkey primary key (bundle_id, transaction_id)
);

-- What arrived at the webhook and was answered 200: verified by the next batch, then removed in the same transaction
-- in which its evidence is recorded.
create table payrecon.received_posts (
    post_id bigint generated always as identity,
    received_at timestamptz not null,
    body bytea not null,
    constraint received_posts_pkey primary key (post_id)
);

-- Notifications that Apple says it could not deliver; a retry that arrives later settles them.
create table payrecon.missed_notifications (
    evidence_sha256 text collate "C" not null,
    last_result text collate "C" not null,
    batch_id bigint not null,
    constraint missed_notifications_pkey primary key (evidence_sha256)
);
