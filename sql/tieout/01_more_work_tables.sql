-- purpose: tables for the pairs of one step and the units that all steps consumed, created empty.
-- grain:   tie_pair one row per cell of ours, cell of Apple's, or both; tie_part one row per cell, cause and other cell;
--          is_proof if both sides agree on day and money, so that the units are proved
create temp table tie_pair (
    cause text collate "C" not null,
    l1_no bigint, l3_no bigint,
    units bigint not null,
    detail jsonb not null,
    is_proof boolean not null default false
) on commit drop;
create temp table tie_part (
    cell_no bigint not null,
    cause text collate "C" not null,
    counter_no bigint not null,
    units bigint not null,
    detail jsonb not null,
    is_proof boolean not null default false
) on commit drop;
