-- purpose: Runs, scheduled windows, settings and written reports.

-- Attempts of a run, with clock, last batch and verdict.
-- grain: one row per run and attempt
create table payrecon.runs (
    run_id text collate "C" not null,               -- Id of the run: job, clock and hash
    attempt integer not null,                       -- Number of the attempt, from 1
    job text collate "C" not null,                  -- Name of the job
    settings_sha256 text collate "C" not null,      -- Hash of the settings: payrecon.settings_texts
    code_version text collate "C" not null,         -- Version of the program
    -- clean, pending, warnings, breaks, incomplete or failed; null while it runs, and for good if it was killed
    verdict text collate "C",
    message jsonb,                                  -- Phrase: reasons of the verdict, or why it failed
    counts text collate "C" not null default '{}',  -- Counts by name, as JSON
    as_of timestamptz not null,                     -- Clock of the run: facts and decisions known up to it count
    started_at timestamptz not null,                -- Server's clock at the start
    ended_at timestamptz,                           -- Server's clock at the end; null if verdict is
    is_ahead boolean not null default false,        -- Whether as_of is ahead of the machine's clock; such a run does not count as a success
    process text collate "C" not null default '',   -- HOST:PID; empty if unknown
    last_batch_id bigint,                           -- Last batch that it read
    roots_sha256 text collate "C",                  -- Hash of the trusted roots
    bound_batch_id bigint,                          -- Last batch that it may read, chosen before its transaction
    begun_after_batch_id bigint,                    -- Last batch at its start
    entries_sha256 text collate "C",                -- Hash of all its settings: payrecon.settings_texts; null if they were not stored
    constraint runs_pkey primary key (run_id, attempt),
    constraint runs_end check ((verdict is null) = (ended_at is null)),
    constraint runs_verdict check (
        verdict in ('clean', 'pending', 'warnings', 'breaks', 'incomplete', 'failed')
    )
);
-- Finds the runs that may have read a batch.
create index runs_bound on payrecon.runs (bound_batch_id) where bound_batch_id is not null;

-- Settings that runs used.
-- grain: one row per settings
create table payrecon.settings_texts (
    settings_sha256 text collate "C" not null,  -- Hash of the text
    settings text collate "C" not null,         -- One line per key
    constraint settings_texts_pkey primary key (settings_sha256)
);

-- Windows of a scheduled job, in their latest attempt. The primary key lets one host start a window.
-- grain: one row per job and window
create table payrecon.job_windows (
    job text collate "C" not null,            -- Name of the job
    window_from timestamptz not null,         -- Start of the window
    window_to timestamptz not null,           -- End of the window
    scheduled_at timestamptz not null,        -- When it was due to start
    origin text collate "C" not null,         -- schedule, hand or backfill
    host text collate "C" not null,           -- Host that runs it
    attempt integer not null,                 -- Number of the attempt, from 1
    lease_until timestamptz not null,         -- End of the host's lease, by the server's clock
    started_at timestamptz not null,          -- When the attempt started
    ended_at timestamptz,                     -- When the attempt ended; null while it runs
    retry_at timestamptz,                     -- When it may start again; null when final, or at once
    is_final boolean not null default false,  -- Whether no attempt follows
    exit_status integer,                      -- Exit status of the command
    verdict text collate "C",                 -- Verdict of the run, as in payrecon.runs
    run_id text collate "C",                  -- Run of the window: payrecon.runs
    row_count bigint,                         -- Rows that it processed
    message text collate "C",                 -- Last line of its report, or why it failed
    constraint job_windows_pkey primary key (job, window_from, window_to),
    constraint job_windows_span check (window_from < window_to),
    constraint job_windows_origin check (origin in ('schedule', 'hand', 'backfill')),
    constraint job_windows_end check ((verdict is null) = (ended_at is null)),
    constraint job_windows_verdict check (
        verdict in ('clean', 'pending', 'warnings', 'breaks', 'incomplete', 'failed')
    )
);
-- Reads the windows of a job by time.
create index job_windows_scheduled_at_idx on payrecon.job_windows (job, scheduled_at);

-- Attempts of a window as they ended.
-- grain: one row per window and attempt
create table payrecon.job_attempts (
    job text collate "C" not null,      -- Name of the job
    window_from timestamptz not null,   -- Start of the window
    window_to timestamptz not null,     -- End of the window
    attempt integer not null,           -- Number of the attempt, from 1
    host text collate "C" not null,     -- Host that ran it
    started_at timestamptz not null,    -- When it started
    ended_at timestamptz not null,      -- When it ended
    exit_status integer,                -- Exit status of the command
    verdict text collate "C" not null,  -- Verdict of the run, as in payrecon.runs
    message text collate "C",           -- Last line of its report, or why it failed
    constraint job_attempts_pkey primary key (job, window_from, window_to, attempt)
);

-- Manifests that runs wrote, so that a changed report can be recognised.
-- grain: one row per written report
create table payrecon.report_manifests (
    report_id bigint generated always as identity,  -- Number of the report
    run_id text collate "C" not null,               -- Run that wrote it: payrecon.runs
    directory text collate "C" not null,            -- Folder of the report
    manifest_sha256 text collate "C" not null,      -- Hash of the manifest
    as_of timestamptz not null,                     -- Clock of the report
    written_at timestamptz not null,                -- When it was written
    constraint report_manifests_pkey primary key (report_id)
);
-- Finds the reports of a run.
create index report_manifests_run_id_idx on payrecon.report_manifests (run_id);

-- Verdicts that were sent to a channel of alerts, so that a change is sent once.
-- grain: one row per channel and message
create table payrecon.sent_verdicts (
    channel text collate "C" not null,                       -- email or webhook
    run_id text collate "C" not null,                        -- Run that the message is about: payrecon.runs
    verdict text collate "C" not null,                       -- Verdict that was sent
    sent_at timestamptz not null default clock_timestamp(),  -- Server's clock
    constraint sent_verdicts_pkey primary key (channel, sent_at, run_id),
    constraint sent_verdicts_channel check (channel in ('email', 'webhook'))
);
