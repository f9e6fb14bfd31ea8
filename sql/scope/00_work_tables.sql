-- purpose: the working tables of one scope: facts found so far, with the round in which they were found.
-- grain:   as stated at each table

-- One row per order. An order with a state-only change has no round: it is visible but extends the scope no further.
create temp table scope_order (order_id text collate "C" primary key, round integer) on commit drop;
-- One row per order with a state-only change, with the chain of its charge.
create temp table scope_state (
    order_id text collate "C" primary key,
    original_transaction_id text collate "C" not null
) on commit drop;
-- One row per original transaction id; without a round as in scope_order.
create temp table scope_chain (original_transaction_id text collate "C" primary key, round integer) on commit drop;
-- One row per evidence item.
create temp table scope_evidence (sha256 bytea primary key, round integer not null) on commit drop;
-- One row per connecting key. kind: user, token, order_id, transaction_id, line_item or original; device if an order names it,
-- seen_device if evidence was uploaded on it; evidence, by the hexadecimal hash, if an order names it or it was uploaded;
-- chain_evidence if it concerns a chain.
create temp table scope_key (key text collate "C" not null, kind text collate "C" not null, round integer not null)
on commit drop;
-- One row per subject of breaks.
create temp table scope_subject (subject_id text collate "C" not null) on commit drop;
