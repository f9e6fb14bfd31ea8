-- purpose: Results of a full run, which evaluates partitions in separate transactions. These tables store them until one
--          transaction publishes them.

-- Partitions of the run in progress.
-- grain: one row per job and partition
create table payrecon.pieces (
    piece integer not null,                     -- Number of the partition
    share_count integer not null,               -- Partitions of the run
    is_decided boolean not null default false,  -- Whether its results are stored
    settings_sha256 text collate "C" not null,  -- Hash of the settings: payrecon.settings_texts
    code_version text collate "C" not null,     -- Version of the program, and a hash of its SQL
    job text collate "C" not null,              -- match or detect
    as_of timestamptz not null,                 -- Clock by which all partitions are evaluated
    is_dealt boolean not null default false,    -- Whether the members of all partitions are known
    constraint pieces_pkey primary key (job, piece),
    constraint pieces_job check (job in ('match', 'detect'))
);

-- Members of each partition. It has no index, since each partition reads it once.
-- grain: one row per job, partition, kind and id
create table payrecon.piece_members (
    job text collate "C" not null,   -- match or detect
    piece integer not null,          -- Number of the partition
    kind text collate "C" not null,  -- order, chain (an original transaction id), user or evidence
    id text collate "C" not null,    -- Id of the member
    constraint piece_members_kind check (kind in ('order', 'chain', 'user', 'evidence'))
);

-- As payrecon.matches.
-- grain: one row per charge that has an order
create table payrecon.piece_matches (
    order_id text collate "C" not null,                 -- Our order: payrecon.orders
    charge_id text collate "C" not null,                -- Our id of the charge: payrecon.charges
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    rung text collate "C" not null,                     -- Rung of the ladder, M0 to M9: payrecon.rungs
    piece integer not null                              -- Number of the partition
);

-- As payrecon.refused_claims.
-- grain: one row per order and partition
create table payrecon.piece_refused_claims (
    order_id text collate "C" not null,  -- Our order: payrecon.orders
    class text collate "C" not null,     -- Resulting break class: payrecon.break_classes
    rung text collate "C" not null,      -- Rung of the claim
    charge_id text collate "C",          -- Claimed charge; null if there is none
    evidence_sha256 bytea,               -- Claimed evidence
    counterpart text collate "C",        -- Order that is matched with the charge instead
    is_explicit boolean not null,        -- Whether the order names the charge itself
    piece integer not null,              -- Number of the partition
    constraint piece_refused_claims_pkey primary key (order_id, piece)
);

-- As payrecon.second_charges.
-- grain: one row per charge and partition
create table payrecon.piece_second_charges (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    charge_id text collate "C" not null,                -- Our id of the charge: payrecon.charges
    order_id text collate "C" not null,                 -- Order that was paid already: payrecon.orders
    piece integer not null,                             -- Number of the partition
    constraint piece_second_charges_pkey primary key (original_transaction_id, charge_id, piece)
);

-- As payrecon.ambiguous_candidates.
-- grain: one row per charge, order and partition
create table payrecon.piece_ambiguous_candidates (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    charge_id text collate "C" not null,                -- Our id of the charge: payrecon.charges
    order_id text collate "C" not null,                 -- Our order: payrecon.orders
    contributions text collate "C" not null,            -- Contribution of each compared field, as text
    rank integer not null,                              -- Place among the candidates, the best first
    piece integer not null,                             -- Number of the partition
    constraint piece_ambiguous_candidates_pkey primary key (original_transaction_id, charge_id, order_id, piece)
);

-- As payrecon.break_events and payrecon.pending_breaks.
-- grain: one row per difference and partition
create table payrecon.piece_breaks (
    break_id text collate "C" not null,    -- Hash of family and subject: the same difference keeps its id
    family text collate "C" not null,      -- Group of classes that share one break id while the class changes
    severity text collate "C" not null,    -- low, medium, high or critical
    class text collate "C" not null,       -- Break class: payrecon.break_classes
    subject_id text collate "C" not null,  -- Order, charge or other subject that differs
    bundle_id text collate "C",            -- App, if the difference has one
    environment text collate "C",          -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    order_id text collate "C",             -- Our order: payrecon.orders
    charge_id text collate "C",            -- Our id of the charge: payrecon.charges
    transaction_id text collate "C",       -- Apple's id of the transaction
    user_id text collate "C",              -- Our id of the user
    currency text collate "C",             -- ISO 4217 code
    detail text collate "C" not null,      -- Explanation, in English
    amount_milliunits bigint,              -- Money at stake, in thousandths of the currency
    breaks_at timestamptz not null,        -- When it becomes a break
    is_delivered boolean,                  -- Whether an order without charge was delivered; null for other differences
    is_pending boolean not null,           -- Whether it is within its grace time
    piece integer not null,                -- Number of the partition
    constraint piece_breaks_pkey primary key (break_id, piece)
);
