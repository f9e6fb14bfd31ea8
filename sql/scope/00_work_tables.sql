-- purpose: the working tables of one scope: facts found so far, with the round in which they were found.
-- grain:   scope_order, scope_chain, scope_evidence one row per order, original transaction id and evidence item.
--          Orders and chains of state-only changes have no round: they are visible but extend the scope no further. scope_state
--          one row per order with a state-only change, with the chain of its charge. scope_fact one row per fact that a key
--          of the scope leads to, once per round. scope_key one row per connecting key. kind: user, token, order_id,
--          transaction_id, line_item, original; device if an order names it, seen_device if evidence was uploaded on it;
--          evidence, by the hexadecimal hash, if an order names it or it was uploaded. scope_statement has evidence that concerns
--          a chain of the scope. scope_subject one row per subject of breaks
create temp table scope_order (order_id text collate "C" primary key, round integer) on commit drop;
create temp table scope_state (
    order_id text collate "C" primary key,
    original_transaction_id text collate "C" not null
) on commit drop;
create temp table scope_chain (original_transaction_id text collate "C" primary key, round integer) on commit drop;
create temp table scope_evidence (sha256 bytea primary key, round integer not null) on commit drop;
create temp table scope_statement (sha256 bytea not null, round integer not null) on commit drop;
create temp table scope_fact (side text collate "C" not null, id text collate "C" not null, round integer not null)
on commit drop;
create temp table scope_key (key text collate "C" not null, kind text collate "C" not null, round integer not null)
on commit drop;
create temp table scope_subject (subject_id text collate "C" not null) on commit drop;
