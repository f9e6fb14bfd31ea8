-- purpose: Sums of the daily summary by day, so that a night adds only what changed.

-- Sums of the rows of fact_rows() of one day.
-- grain: one row per app, environment, currency, day, measure and part
create table payrecon.report_sums (
    bundle_id text collate "C" not null,    -- App, by its bundle id
    environment text collate "C" not null,  -- Apple's environment
    currency text collate "C" not null,     -- ISO 4217 code; empty if unknown
    day date not null,                      -- Day in the time zone of the app
    measure text collate "C" not null,      -- Kind of the rows, such as tx, order or refund
    part text collate "C" not null,         -- Part of the measure, such as a rung or a break class
    row_count bigint not null,              -- Number of rows; 0 when none is left
    n bigint not null,                      -- Number of rows that the measure counts
    amount numeric not null,                -- Sum in thousandths of the currency
    constraint report_sums_pkey primary key (bundle_id, environment, currency, day, measure, part)
);

-- Clock, settings and program version of the sums; without a row there are no sums.
-- grain: one row
create table payrecon.report_sums_state (
    name text collate "C" not null,              -- The report: daily
    apps text[] collate "C" not null,            -- Apps of the settings
    zones text[] collate "C" not null,           -- Time zone of each app
    starts text[] collate "C" not null,          -- Start of reconciliation of each app
    code_version text collate "C" not null,      -- Version of the program, and a hash of its SQL
    batch_count bigint not null,                 -- Batches known at the clock: with more of them the sums are out of date
    run_count bigint not null,                   -- Attempts to decide at the clock: with more of them the sums are out of date
    as_of timestamptz not null,                  -- Clock of the sums
    constraint report_sums_state_pkey primary key (name),
    constraint report_sums_state_one check (name = 'daily')
);
