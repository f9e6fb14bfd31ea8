-- purpose: the working tables of one detect run; they vanish with its transaction.
-- grain:   finding one row per difference found, detect_pair one row per match in Production,
--          detect_claim one per order that claimed and got nothing, allowed_sandbox one per user and span (from the settings).
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
create temp table allowed_sandbox (
    bundle_id text collate "C" not null,
    user_id text collate "C" not null,
    allowed_from timestamptz not null,
    allowed_to timestamptz not null
) on commit drop;
create temp table detect_pair (
    order_id text collate "C" not null,
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    transaction_id text collate "C" not null,
    bundle_id text collate "C" not null,
    product_id text collate "C" not null,
    type text collate "C" not null,
    user_id text collate "C" not null,
    status text collate "C" not null,
    state text collate "C" not null,
    order_currency text collate "C",
    charge_currency text collate "C",
    revocation_type text collate "C",
    order_quantity integer not null,
    charge_quantity integer not null,
    order_milliunits bigint,
    charge_milliunits bigint,
    refunded_milliunits bigint not null,
    purchased_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    reversed_at timestamptz,
    delivered_at timestamptz,
    refunded_at timestamptz,
    entitlement_expires_at timestamptz
) on commit drop;
create temp table detect_open_charge (
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    transaction_id text collate "C" not null,
    bundle_id text collate "C" not null,
    product_id text collate "C" not null,
    state text collate "C" not null,
    currency text collate "C",
    price_milliunits bigint,
    user_id text collate "C",
    is_renewal boolean not null,
    purchased_at timestamptz not null,
    revoked_at timestamptz
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
    created_at timestamptz not null,
    booked_at timestamptz not null,
    class text collate "C",
    charge_id text collate "C",
    evidence_sha256 text collate "C",
    counterpart text collate "C",
    is_explicit boolean
) on commit drop;
