-- purpose: A full match run in partitions, each decided in a separate transaction. These tables store the decisions of the
--          partitions until one transaction publishes them. A crash of the server empties them, and the run starts again.

-- Partitions of the run in progress.
-- grain: one row per partition
create unlogged table payrecon.partitions (
    partition integer not null,                 -- Number of the partition, from 0
    partition_count integer not null,           -- Partitions of the run
    is_decided boolean not null default false,  -- Whether its decisions are stored
    settings_sha256 text collate "C" not null,  -- Hash of the settings: payrecon.settings_texts
    code_version text collate "C" not null,     -- Version of the program, and a hash of its SQL
    as_of timestamptz not null,                 -- Clock of the run
    constraint partitions_pkey primary key (partition)
);

-- As payrecon.matches.
-- grain: one row per charge that has an order
create unlogged table payrecon.partition_matches (
    order_id text collate "C" not null,                 -- Our order: payrecon.orders
    charge_id text collate "C" not null,                -- Our id of the charge: payrecon.charges
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    rung text collate "C" not null                      -- Rung of the ladder, M0 to M7: payrecon.rungs
);

-- As payrecon.refused_claims.
-- grain: one row per order
create unlogged table payrecon.partition_refused_claims (
    order_id text collate "C" not null,  -- Our order: payrecon.orders
    class text collate "C" not null,     -- Resulting break class: payrecon.break_classes
    rung text collate "C" not null,      -- Rung of the claim
    charge_id text collate "C",          -- Claimed charge; null if there is none
    evidence_sha256 bytea,               -- Claimed evidence
    counterpart text collate "C",        -- Order that is matched with the charge instead
    is_explicit boolean not null         -- Whether the order names the charge itself
);

-- As payrecon.second_charges.
-- grain: one row per charge
create unlogged table payrecon.partition_second_charges (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    charge_id text collate "C" not null,                -- Our id of the charge: payrecon.charges
    order_id text collate "C" not null                  -- Order that was paid already: payrecon.orders
);

-- As payrecon.ambiguous_candidates.
-- grain: one row per charge and order
create unlogged table payrecon.partition_ambiguous_candidates (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    charge_id text collate "C" not null,                -- Our id of the charge: payrecon.charges
    order_id text collate "C" not null,                 -- Our order: payrecon.orders
    tie text collate "C" not null,                      -- How the order's user is tied to the charge: device, owner or uploader
    delay_seconds bigint not null,                      -- Seconds from the order's creation to the purchase
    rank integer not null                               -- Place among the candidates, the best first
);
