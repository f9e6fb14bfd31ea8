-- purpose: the working tables of one match run; they vanish with its transaction.
-- grain:   match_decision one row per pair that two people decided on, with what they decided;
--          match_open_order and match_open_charge one row per order and charge that no single claim or token decides,
--          match_scope_order and match_scope_charge one row per order and charge that the ladder looks at, match_order and
--          match_charge the same with what the rungs compare, match_order_token one per order and token that speaks for
--          it, match_candidate one per rung, order and charge, match_duplicate one per order whose claim lost to another
--          order, match_refused_order one per order whose claim is refused, with the highest rung of such a claim
--          (M2 where all that bars it is an old purchase of another product, which says nothing of a token),
--          match_unproven one per order and piece of evidence, or id that nobody knows, that it claims and that is no purchase of ours,
--          match_plain and match_decided one per match that the run decided, before and on the ladder.
create temp table match_decision (
    order_id text collate "C" not null,
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    action text collate "C" not null
) on commit drop;
create temp table match_scope_order (order_id text collate "C" not null) on commit drop;
create temp table match_scope_charge (
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null
) on commit drop;
create temp table match_open_order (
    order_id text collate "C" not null,
    product_id text collate "C" not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    user_id text collate "C" not null,
    is_naming boolean not null,
    created_at timestamptz not null
) on commit drop;
create temp table match_open_charge (
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    token text collate "C",
    product_id text collate "C" not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    type text collate "C" not null,
    ownership text collate "C" not null,
    purchased_at timestamptz not null
) on commit drop;
create temp table match_plain (
    order_id text collate "C" not null,
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    rung text collate "C" not null
) on commit drop;
create temp table match_order (
    order_id text collate "C" not null,
    environment text collate "C" not null,
    bundle_id text collate "C" not null,
    product_id text collate "C" not null,
    user_id text collate "C" not null,
    status text collate "C" not null,
    transaction_id text collate "C",
    -- The same where it names a period, null where it names the subscription (02_chain_orders.sql).
    period_transaction_id text collate "C",
    original_transaction_id text collate "C",
    web_order_line_item_id text collate "C",
    evidence_sha256 bytea,
    device_id text collate "C",
    own_token text collate "C",
    quantity integer not null,
    -- As order_standing ranks it.
    standing integer not null,
    is_delivered boolean not null,
    is_tester boolean not null,
    created_at timestamptz not null,
    settled_at timestamptz,
    access_until timestamptz
) on commit drop;
create temp table match_order_token (
    order_id text collate "C" not null,
    token text collate "C" not null
) on commit drop;
create temp table match_duplicate (order_id text collate "C" not null) on commit drop;
create temp table match_refused_order (order_id text collate "C" not null, rung text collate "C" not null) on commit drop;
create temp table match_unproven (
    order_id text collate "C" not null,
    evidence_sha256 bytea,
    rung text collate "C" not null
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
    chain_owner text collate "C",
    quantity integer not null,
    is_renewal boolean not null,
    purchased_at timestamptz not null,
    booking_from timestamptz,
    booking_to timestamptz,
    -- An order booked from the one instant on whose access ends after the other is for the next period, charged or not.
    next_booking_from timestamptz,
    next_access_from timestamptz,
    -- The rung whose match told whose the chain is, where tokens do not.
    chain_told_by text collate "C"
) on commit drop;
create temp table match_candidate (
    rung text collate "C" not null,
    order_id text collate "C" not null,
    charge_id text collate "C",
    original_transaction_id text collate "C",
    evidence_sha256 bytea,
    refusal text collate "C",
    created_at timestamptz not null,
    purchased_at timestamptz
) on commit drop;
create temp table match_decided (
    order_id text collate "C" not null,
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    rung text collate "C" not null
) on commit drop;
create temp table match_token_order (
    token text collate "C" not null,
    order_count bigint not null,
    first_user text collate "C" not null,
    last_user text collate "C" not null,
    order_id text collate "C" not null,
    product_id text collate "C" not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    created_at timestamptz not null,
    is_named boolean not null,
    -- Made for one order alone, and never a user's.
    is_one_orders boolean not null
) on commit drop;
create temp table match_token_owner (
    token text collate "C" not null,
    user_id text collate "C" not null,
    is_held boolean not null
) on commit drop;
create temp table match_heuristic (
    order_id text collate "C" not null,
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    contributions text collate "C" not null,
    distance interval not null
) on commit drop;
