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
