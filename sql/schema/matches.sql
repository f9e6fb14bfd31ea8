-- purpose: Matches of charges and orders: the rungs, the decisions, and the work list of match.

-- Rungs of the ladder, filled from sql/reference/rungs.csv. A run refuses a rung that has no row.
-- grain: one row per rung
create table payrecon.rungs (
    rung text collate "C" not null,  -- M0 to M7, in the order of the ladder
    name text collate "C" not null,  -- Short name
    confidence text collate "C",     -- decided, exact, derived or heuristic; null if the rung assigns no charge
    constraint rungs_pkey primary key (rung),
    constraint rungs_rung check (rung between 'M0' and 'M9' and length(rung) = 2),
    constraint rungs_confidence check (confidence in ('decided', 'exact', 'derived', 'heuristic'))
);

-- Settings and version of the current matches, breaks and signals; a change re-evaluates all of them.
-- grain: one row per job
create table payrecon.match_state (
    name text collate "C" not null,             -- Name of the job
    settings_sha256 text collate "C",           -- Hash of the settings: payrecon.settings_texts; null if the next run decides everything
    code_version text collate "C" not null,     -- Version of the program, and a hash of its SQL
    constraint match_state_pkey primary key (name)
);

-- Work list: facts that arrived since the last match run, thousands per row.
-- grain: one row per batch, kind and first id
create table payrecon.changes (
    batch_id bigint not null,            -- Batch that brought them: payrecon.batches
    kind text collate "C" not null,      -- order, order_state (only fields that matching does not read), user, chain or evidence
    first_id text collate "C" not null,  -- Smallest of the ids
    ids text[] collate "C" not null,     -- Ids of the facts; a chain is an original transaction id
    constraint changes_pkey primary key (batch_id, kind, first_id),
    constraint changes_kind check (kind in ('order', 'order_state', 'user', 'chain', 'evidence'))
);

-- Active matches of a charge and its order. A row is never updated.
-- grain: one row per charge that has an order
create table payrecon.matches (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    charge_id text collate "C" not null,                -- Our id of the charge: payrecon.charges
    order_id text collate "C" not null,                 -- Our order: payrecon.orders
    rung text collate "C" not null,                     -- Rung of the ladder, M0 to M7: payrecon.rungs
    run_id text collate "C" not null,                   -- Run that created the pair: payrecon.runs
    confidence text collate "C" not null,               -- decided, exact, derived or heuristic
    valid_from timestamptz not null,                    -- Clock of the run since which it is in force
    constraint matches_pkey primary key (original_transaction_id, charge_id),
    constraint matches_confidence check (confidence in ('decided', 'exact', 'derived', 'heuristic')),
    constraint matches_rung check (rung between 'M0' and 'M9')
);

-- The same pairs, by order.
-- grain: one row per order that has a charge
create table payrecon.matched_orders (
    order_id text collate "C" not null,                 -- Our order: payrecon.orders
    charge_id text collate "C" not null,                -- Our id of the charge: payrecon.charges
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    constraint matched_orders_pkey primary key (order_id)
);

-- Matches that a later run closed; together with payrecon.matches the whole history.
-- grain: one row per pair, rung and span
create table payrecon.ended_matches (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    charge_id text collate "C" not null,                -- Our id of the charge: payrecon.charges
    order_id text collate "C" not null,                 -- Our order: payrecon.orders
    rung text collate "C" not null,                     -- Rung of the ladder, M0 to M7: payrecon.rungs
    run_id text collate "C" not null,                   -- Run that created the pair: payrecon.runs
    ended_run_id text collate "C" not null,             -- Run that ended it: payrecon.runs
    confidence text collate "C" not null,               -- decided, exact, derived or heuristic
    valid_from timestamptz not null,                    -- Clock of the run since which it is in force
    valid_to timestamptz not null,                      -- Clock of the run that ended it
    constraint ended_matches_pkey primary key (original_transaction_id, charge_id, order_id, rung, valid_from, valid_to)
);

-- Refused claims of orders without a match.
-- grain: one row per order
create table payrecon.refused_claims (
    order_id text collate "C" not null,                   -- Our order: payrecon.orders
    class text collate "C" not null,                      -- Resulting break class: payrecon.break_classes
    rung text collate "C" not null,                       -- Rung of the claim
    charge_id text collate "C",                           -- Claimed charge; null if there is none
    evidence_sha256 bytea,                                -- Claimed evidence
    counterpart text collate "C",                         -- Order that is matched with the charge instead
    is_explicit boolean not null,                         -- Whether the order names the charge itself
    valid_from timestamptz not null default '-infinity',  -- Clock of the run since which it is in force
    constraint refused_claims_pkey primary key (order_id)
);

-- Refusals that a later run ended.
-- grain: one row per order and span
create table payrecon.ended_refused_claims (
    order_id text collate "C" not null,  -- Our order: payrecon.orders
    class text collate "C" not null,     -- Resulting break class: payrecon.break_classes
    rung text collate "C" not null,      -- Rung of the claim
    charge_id text collate "C",          -- Claimed charge; null if there is none
    evidence_sha256 bytea,               -- Claimed evidence
    counterpart text collate "C",        -- Order that is matched with the charge instead
    is_explicit boolean not null,        -- Whether the order names the charge itself
    valid_from timestamptz not null,     -- Clock of the run since which it is in force
    valid_to timestamptz not null,       -- Clock of the run that ended it
    constraint ended_refused_claims_pkey primary key (order_id, valid_from, valid_to)
);

-- Charges without an order that belong to an order paid by another charge.
-- grain: one row per charge
create table payrecon.second_charges (
    original_transaction_id text collate "C" not null,    -- Apple's id of the first transaction of the purchase or subscription
    charge_id text collate "C" not null,                  -- Our id of the charge: payrecon.charges
    order_id text collate "C" not null,                   -- Order that was paid already: payrecon.orders
    valid_from timestamptz not null default '-infinity',  -- Clock of the run since which it is in force
    constraint second_charges_pkey primary key (original_transaction_id, charge_id)
);

-- Second charges that a later run ended.
-- grain: one row per charge and span
create table payrecon.ended_second_charges (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    charge_id text collate "C" not null,                -- Our id of the charge: payrecon.charges
    order_id text collate "C" not null,                 -- Order that was paid already: payrecon.orders
    valid_from timestamptz not null,                    -- Clock of the run since which it is in force
    valid_to timestamptz not null,                      -- Clock of the run that ended it
    constraint ended_second_charges_pkey primary key (original_transaction_id, charge_id, valid_from, valid_to)
);

-- Ranked candidates of a charge that more than one order fits (M7).
-- grain: one row per charge and order
create table payrecon.ambiguous_candidates (
    original_transaction_id text collate "C" not null,    -- Apple's id of the first transaction of the purchase or subscription
    charge_id text collate "C" not null,                  -- Our id of the charge: payrecon.charges
    order_id text collate "C" not null,                   -- Our order: payrecon.orders
    tie text collate "C" not null,                        -- How the order's user is tied to the charge: device, owner or uploader
    delay_seconds bigint not null,                        -- Seconds from the order's creation to the purchase
    rank integer not null,                                -- Place among the candidates, the best first
    valid_from timestamptz not null default '-infinity',  -- Clock of the run since which it is in force
    constraint ambiguous_candidates_pkey primary key (original_transaction_id, charge_id, order_id)
);

-- Candidates that a later run ended.
-- grain: one row per charge, order and span
create table payrecon.ended_ambiguous_candidates (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    charge_id text collate "C" not null,                -- Our id of the charge: payrecon.charges
    order_id text collate "C" not null,                 -- Our order: payrecon.orders
    tie text collate "C" not null,                      -- How the order's user is tied to the charge: device, owner or uploader
    delay_seconds bigint not null,                      -- Seconds from the order's creation to the purchase
    rank integer not null,                              -- Place among the candidates, the best first
    valid_from timestamptz not null,                    -- Clock of the run since which it is in force
    valid_to timestamptz not null,                      -- Clock of the run that ended it
    constraint ended_ambiguous_candidates_pkey primary key (original_transaction_id, charge_id, order_id, valid_from, valid_to)
);

-- Decisions of two people that the latest match run used (M0).
-- grain: one row per order and charge
create table payrecon.decided_pairs (
    order_id text collate "C" not null,                 -- Our order: payrecon.orders
    charge_id text collate "C" not null,                -- Our id of the charge: payrecon.charges
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    action text collate "C" not null,                   -- forced_match, unmatch or benign_duplicate
    decision_id text collate "C" not null,              -- Decision: payrecon.case_decisions
    constraint decided_pairs_pkey primary key (order_id, charge_id),
    constraint decided_pairs_action check (action in ('forced_match', 'unmatch', 'benign_duplicate'))
);
-- Finds the rows of a few batches or of the latest runs.
create index matches_ranges on payrecon.matches using brin (valid_from) with (autosummarize = on);
-- Finds the rows of a few batches or of the latest runs.
create index ended_matches_ranges on payrecon.ended_matches using brin (valid_to) with (autosummarize = on);
