-- purpose: what is kept of a run for the next ones: which roots it trusted, and which verdict each channel of alerts was
--          told last, so that a change is told once and nothing twice.
create table payrecon.told_verdicts (
    channel text collate "C" not null,
    run_id text collate "C" not null,
    verdict text collate "C" not null,
    told_at timestamptz not null default clock_timestamp(),
    constraint told_verdicts_pkey primary key (channel, told_at, run_id),
    constraint told_verdicts_channel check (channel in ('email', 'webhook'))
);

-- The trusted roots of a run, by one hash: from when on evidence is judged by others.
alter table payrecon.runs add column roots_sha256 text collate "C";
