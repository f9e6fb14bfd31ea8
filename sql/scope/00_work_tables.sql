-- purpose: the working tables of one scope: what was found so far, and in which round.
-- grain:   scope_order, scope_chain, scope_evidence one row per order, original transaction id and piece of evidence;
--          in the round -1 those that are shown and reach nothing: an order of which only the state changed, its chain;
--          scope_state one row per order of which only the state changed, with the chain of its charge;
--          scope_fact one row per fact that a key of the scope leads to, as often as rounds come upon it;
--          scope_key one row per key by which they reach each other. kind: user, token, order_id, transaction_id,
--          line_item, original; device where an order names it, seen_device where evidence was handed over on it;
--          evidence, by the letters of its hash, where an order names it or it was handed over; scope_told has evidence that tells of a
--          chain of the scope
create temp table scope_order (order_id text collate "C" primary key, round integer not null) on commit drop;
create temp table scope_state (
    order_id text collate "C" primary key,
    original_transaction_id text collate "C" not null
) on commit drop;
create temp table scope_chain (original_transaction_id text collate "C" primary key, round integer not null) on commit drop;
create temp table scope_evidence (sha256 bytea primary key, round integer not null) on commit drop;
create temp table scope_told (sha256 bytea not null, round integer not null) on commit drop;
create temp table scope_fact (side text collate "C" not null, id text collate "C" not null, round integer not null)
on commit drop;
create temp table scope_key (
    key text collate "C" not null,
    kind text collate "C" not null,
    round integer not null,
    primary key (key, kind)
) on commit drop;
