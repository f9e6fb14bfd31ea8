-- purpose: the working tables of an update of the sums, dropped at the end of its transaction.
-- grain:   sums_chain one row per chain (original transaction id) and sums_order one row per order with a changed
--          contribution; sums_change one row per clock and row of report_sums
create temp table sums_chain (
    chain text collate "C" not null,
    constraint sums_chain_pkey primary key (chain)
) on commit drop;
create temp table sums_order (
    order_id text collate "C" not null,
    constraint sums_order_pkey primary key (order_id)
) on commit drop;
create temp table sums_change (like payrecon.report_sums) on commit drop;
