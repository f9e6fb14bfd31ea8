-- purpose: which windows of which job were started, by whom and how they ended; and which reports were written.

-- One row per window of a job: its latest attempt. The key is what lets two hosts at the same second start one.
create table payrecon.job_windows (
    job text collate "C" not null,
    window_from timestamptz not null,
    window_to timestamptz not null,
    scheduled_at timestamptz not null,
    origin text collate "C" not null,
    host text collate "C" not null,
    attempt integer not null,
    -- By the database's clock; a host that does not renew it is taken for dead.
    lease_until timestamptz not null,
    started_at timestamptz not null,
    ended_at timestamptz,
    -- When a window that ended for now may be started again; null when it is final or may be at once.
    retry_at timestamptz,
    is_final boolean not null default false,
    exit_status integer,
    verdict text collate "C",
    run_id text collate "C",
    row_count bigint,
    message text collate "C",
    constraint job_windows_pkey primary key (job, window_from, window_to),
    constraint job_windows_span check (window_from < window_to),
    constraint job_windows_origin check (origin in ('schedule', 'hand', 'backfill')),
    constraint job_windows_end check ((verdict is null) = (ended_at is null)),
    constraint job_windows_verdict check (
        verdict in ('clean', 'pending', 'warnings', 'breaks', 'incomplete', 'failed')
    )
);
create index job_windows_scheduled_at_idx on payrecon.job_windows (job, scheduled_at);

-- Every attempt as it ended; append-only.
create table payrecon.job_attempts (
    job text collate "C" not null,
    window_from timestamptz not null,
    window_to timestamptz not null,
    attempt integer not null,
    host text collate "C" not null,
    started_at timestamptz not null,
    ended_at timestamptz not null,
    exit_status integer,
    verdict text collate "C" not null,
    message text collate "C",
    constraint job_attempts_pkey primary key (job, window_from, window_to, attempt)
);

-- Hash of every manifest that a run wrote, so that a manifest that was changed afterwards can be told; append-only.
create table payrecon.report_manifests (
    report_id bigint generated always as identity,
    run_id text collate "C" not null,
    directory text collate "C" not null,
    manifest_sha256 text collate "C" not null,
    written_at timestamptz not null,
    constraint report_manifests_pkey primary key (report_id)
);
create index report_manifests_run_id_idx on payrecon.report_manifests (run_id);
