-- purpose: the decisions of one ladder run, dropped at the end of its transaction.
-- grain:   match_decided one row per match, match_refused one per refused claim, match_second one per further charge of a
--          paid order, match_ambiguous one per candidate of an ambiguous charge
create temp table match_decided (
    order_id text collate "C" not null,
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    rung text collate "C" not null
) on commit drop;
create temp table match_refused (
    order_id text collate "C" not null,
    class text collate "C" not null,
    rung text collate "C" not null,
    charge_id text collate "C",
    evidence_sha256 bytea,
    counterpart text collate "C",
    is_explicit boolean not null
) on commit drop;
create temp table match_second (
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    order_id text collate "C" not null
) on commit drop;
create temp table match_ambiguous (
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    order_id text collate "C" not null,
    tie text collate "C" not null,
    delay_seconds bigint not null,
    rank integer not null
) on commit drop;
