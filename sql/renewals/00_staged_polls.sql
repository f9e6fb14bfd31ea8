-- purpose: staging tables for scheduled polls, their chains and their answers.
-- grain:   staged_poll one row per appointment, staged_chain one per chain, staged_answer one per answer
create temp table if not exists staged_poll (
    original_transaction_id text collate "C" not null,
    bundle_id text collate "C" not null,
    slot text collate "C" not null,
    currency text collate "C" not null,
    exposure_milliunits bigint not null,
    opens_at timestamptz not null,
    due_at timestamptz not null
) on commit delete rows;

-- The chains whose polls are evaluated.
create temp table if not exists staged_chain (
    original_transaction_id text collate "C" not null
) on commit delete rows;

-- Outcomes of the polls that a worker leased.
create temp table if not exists staged_answer (
    original_transaction_id text collate "C" not null,
    slot text collate "C" not null,
    -- Apple's answer, else failed (the lease delays the next attempt) or released.
    answer text collate "C" not null,
    fault text collate "C",
    apple_status integer,
    due_at timestamptz not null
) on commit delete rows;
