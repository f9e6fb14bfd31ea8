-- purpose: the working tables of one match run; they vanish with its transaction.
-- grain:   match_order one row per order, match_charge one per charge, match_candidate one per rung, order and charge,
--          match_decided one per match that the run decided.
create temp table match_order (
    order_id text collate "C" not null,
    environment text collate "C" not null,
    bundle_id text collate "C" not null,
    product_id text collate "C" not null,
    user_id text collate "C" not null,
    status text collate "C" not null,
    transaction_id text collate "C",
    original_transaction_id text collate "C",
    web_order_line_item_id text collate "C",
    evidence_sha256 text collate "C",
    device_id text collate "C",
    own_token text collate "C",
    token text collate "C",
    quantity integer not null,
    created_at timestamptz not null,
    settled_at timestamptz
) on commit drop;
create temp table match_charge (
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    environment text collate "C" not null,
    bundle_id text collate "C" not null,
    product_id text collate "C" not null,
    type text collate "C" not null,
    ownership text collate "C" not null,
    token text collate "C",
    owner text collate "C",
    quantity integer not null,
    is_renewal boolean not null,
    purchased_at timestamptz not null,
    booking_from timestamptz,
    booking_to timestamptz
) on commit drop;
create temp table match_candidate (
    rung text collate "C" not null,
    order_id text collate "C" not null,
    charge_id text collate "C",
    original_transaction_id text collate "C",
    evidence_sha256 text collate "C",
    refusal text collate "C",
    created_at timestamptz not null,
    purchased_at timestamptz
) on commit drop;
create temp table match_decided (
    order_id text collate "C" not null,
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    rung text collate "C" not null,
    confidence text not null
) on commit drop;
create temp table match_token_owner (token text collate "C" not null, user_id text collate "C" not null) on commit drop;
create temp table match_heuristic (
    order_id text collate "C" not null,
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    contributions text collate "C" not null,
    distance interval not null
) on commit drop;
