-- purpose: the working tables of one detect run, dropped at the end of its transaction.
-- grain:   finding one row per difference found, detect_open_order one per order without match
create temp table finding (
    class text collate "C" not null,
    subject_id text collate "C" not null,
    bundle_id text collate "C",
    environment text collate "C",
    order_id text collate "C",
    charge_id text collate "C",
    transaction_id text collate "C",
    user_id text collate "C",
    currency text collate "C",
    detail text collate "C" not null,
    amount_milliunits bigint,
    breaks_at timestamptz not null
) on commit drop;
create temp table detect_open_order (
    order_id text collate "C" not null,
    environment text collate "C" not null,
    bundle_id text collate "C" not null,
    product_id text collate "C" not null,
    user_id text collate "C" not null,
    status text collate "C" not null,
    transaction_id text collate "C",
    original_transaction_id text collate "C",
    currency text collate "C",
    price_milliunits bigint,
    is_delivered boolean not null,
    was_delivered boolean not null,
    names_charge boolean not null,
    created_at timestamptz not null,
    booked_at timestamptz not null,
    class text collate "C",
    charge_id text collate "C",
    evidence_sha256 bytea,
    counterpart text collate "C",
    is_explicit boolean
) on commit drop;
