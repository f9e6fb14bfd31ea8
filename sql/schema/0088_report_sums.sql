-- purpose: what the daily summary adds up of the whole history, kept by day, so that a night adds what changed alone; and the ranges
--          of rows by which a night finds that.

-- What the rows of fact_rows() of one day come to. row_count: how many they are; n: how many of them the measure counts.
create table payrecon.report_sums (
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    currency text collate "C" not null,
    day date not null,
    measure text collate "C" not null,
    part text collate "C" not null,
    row_count bigint not null,
    n bigint not null,
    amount numeric not null,
    constraint report_sums_pkey primary key (bundle_id, environment, currency, day, measure, part)
);

-- Of which clock the sums are, under which settings and by which program they were added up; no row where there are none.
-- batch_count, run_count: batches known by that clock, and attempts to decide at it. Where there are more, the sums are out of date.
create table payrecon.report_sums_state (
    name text collate "C" not null,
    apps text[] collate "C" not null,
    zones text[] collate "C" not null,
    starts text[] collate "C" not null,
    code_version text collate "C" not null,
    batch_count bigint not null,
    run_count bigint not null,
    as_of timestamptz not null,
    constraint report_sums_state_pkey primary key (name),
    constraint report_sums_state_one check (name = 'daily')
);

-- Rows of a few batches or of the last runs, of many; next to nothing to keep.
create index charges_ranges on payrecon.charges using brin (purchased_at) with (autosummarize = on);
create index orders_ranges on payrecon.orders using brin (batch_id, created_at) with (autosummarize = on);
create index transactions_ranges on payrecon.transactions using brin (batch_id) with (autosummarize = on);
create index matches_ranges on payrecon.matches using brin (valid_from) with (autosummarize = on);
create index ended_matches_ranges on payrecon.ended_matches using brin (valid_to) with (autosummarize = on);
create index break_events_ranges on payrecon.break_events using brin (as_of) with (autosummarize = on);
create index ended_pending_breaks_ranges on payrecon.ended_pending_breaks using brin (valid_to) with (autosummarize = on);
