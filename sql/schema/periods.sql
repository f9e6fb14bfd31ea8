-- purpose: Closes and reopenings of fiscal periods, each by two accounts, with the signed reports and figures.

-- Steps of a close or reopening. The step that concludes a proposal copies its content.
-- grain: one row per act and step
create table payrecon.period_steps (
    act_id text collate "C" not null,           -- Random id of the close or reopening, 32 hexadecimal digits
    step text collate "C" not null,             -- proposed, signed, rejected or withdrawn
    kind text collate "C" not null,             -- close or reopen
    fiscal_period text collate "C" not null,    -- Apple's fiscal month, such as 2026-P11
    close_id text collate "C",                  -- Close that a reopening ends: act_id; null for a close
    as_of timestamptz not null,                 -- Clock of the signed reports
    tied_out_at timestamptz not null,           -- Clock of the tie-out that the reports show
    settings_sha256 text collate "C" not null,  -- Hash of the settings: payrecon.settings_texts
    code_version text collate "C" not null,     -- Version of the program
    coverage numeric not null,                  -- Proved and explained units in percent, of the least covered currency
    coverage_target numeric not null,           -- Required coverage in percent, from the settings
    reports_sha256 text collate "C" not null,   -- Hash of the rows of payrecon.period_reports
    figures_sha256 text collate "C" not null,   -- Hash of the rows of payrecon.period_figures
    person text collate "C" not null,           -- Person's name, as entered
    account text collate "C" not null,          -- Authenticated account, written by the database
    proposal_step text collate "C",             -- 'proposed' in a row that concludes a proposal; else null
    proposal_account text collate "C",          -- Account of the proposal that this row concludes
    reason text collate "C" not null,           -- Reason, as entered by the person; may be empty for a close
    at timestamptz not null,                    -- Clock of the act: reports of this clock and later show it
    constraint period_steps_pkey primary key (act_id, step),
    constraint period_steps_id check (act_id ~ '^[0-9a-f]{32}$'),
    constraint period_steps_step check (step in ('proposed', 'signed', 'rejected', 'withdrawn')),
    constraint period_steps_kind check (kind in ('close', 'reopen') and (kind = 'reopen') = (close_id is not null)),
    constraint period_steps_concludes check ((step = 'proposed') = (proposal_step is null)),
    constraint period_steps_concluded check (proposal_step = 'proposed'),
    -- A close that showed itself would change its own reports.
    constraint period_steps_clock check (tied_out_at <= as_of and as_of <= at and (step <> 'signed' or as_of < at)),
    constraint period_steps_covered check (kind = 'reopen' or step in ('rejected', 'withdrawn') or coverage >= coverage_target),
    constraint period_steps_said check (
        person ~ '[^[:space:]]' and (kind = 'close' and step in ('proposed', 'signed') or reason ~ '[^[:space:]]')
    ),
    -- The trigger also compares names by person_key.
    constraint period_steps_two_accounts check (
        case step
            when 'proposed' then proposal_account is null
            when 'withdrawn' then proposal_account is not null
            else proposal_account is not null and proposal_account <> account
        end
    )
);
-- Reads the steps of a period.
create index period_steps_by_period on payrecon.period_steps (fiscal_period, at);
-- Concludes a proposal once.
create unique index period_steps_once on payrecon.period_steps (act_id) where step <> 'proposed';
-- Reopens a close once.
create unique index period_steps_reopened on payrecon.period_steps (close_id) where step = 'signed' and kind = 'reopen';

-- Reports of a close. Their files can be written again and compared with the hash.
-- grain: one row per close and report
create table payrecon.period_reports (
    act_id text collate "C" not null,                -- Close: payrecon.period_steps
    report text collate "C" not null,                -- tieout, coverage, deferred, refunds or daily
    run_id text collate "C" not null,                -- Run id in the report's header
    manifest_sha256 text collate "C" not null,       -- Hash of the manifest, which contains the hash of each file
    file_count integer not null,                     -- Files that the manifest lists
    verdict text collate "C" not null,               -- Verdict in the report's header
    verdict_reasons jsonb not null,                  -- Phrase: reasons in the report's header
    constraint period_reports_pkey primary key (act_id, report),
    constraint period_reports_hash check (manifest_sha256 ~ '^[0-9a-f]{64}$')
);

-- Figures of the period in the reports of a close, as signed.
-- grain: one row per close, report, slice, currency and metric
create table payrecon.period_figures (
    act_id text collate "C" not null,    -- Close: payrecon.period_steps
    report text collate "C" not null,    -- Report that shows the figure; revenue is a table of deferred
    slice text collate "C" not null,     -- Restated period and cause of a correction, with fact if a charge states it; empty elsewhere
    currency text collate "C" not null,  -- ISO 4217 code
    metric text collate "C" not null,    -- Column of the report
    value numeric not null,              -- Figure, in the unit of the column
    constraint period_figures_pkey primary key (act_id, report, slice, currency, metric)
);
