-- purpose: where the appointments that the schedule asks for are copied to before the queue is brought up to them.
create temp table if not exists staged_poll (
    original_transaction_id text collate "C" not null,
    bundle_id text collate "C" not null,
    slot text collate "C" not null,
    currency text collate "C" not null,
    exposure_milliunits bigint not null,
    opens_at timestamptz not null,
    due_at timestamptz not null
) on commit delete rows;

-- The chains whose appointments are looked at, and their subscriptions.
create temp table if not exists staged_chain (
    original_transaction_id text collate "C" not null
) on commit delete rows;
create temp table if not exists staged_subject on commit delete rows as
select * from payrecon.subscriptions_at('-infinity') with no data;

-- What became of the appointments that a worker held.
create temp table if not exists staged_answer (
    original_transaction_id text collate "C" not null,
    slot text collate "C" not null,
    -- An answer of Apple's, else failed (the lease is the pause before the next try) or refunded_units.
    answer text collate "C" not null,
    fault text collate "C",
    apple_status integer,
    due_at timestamptz not null
) on commit delete rows;
