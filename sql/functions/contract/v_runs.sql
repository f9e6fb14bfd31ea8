-- purpose: runs for other programs: the columns of the export, as values. At a clock, and now.
create or replace function payrecon.v_runs_at(clock timestamptz) returns table (
    run_id text, job text, as_of timestamptz, verdict text, attempt integer, started_at timestamptz,
    ended_at timestamptz, settings_sha256 text, code_version text, counts text, message text, last_batch_id bigint
)
language sql stable parallel safe
as $$
    select
        runs.run_id, runs.job, runs.as_of, runs.verdict, runs.attempt, runs.started_at, runs.ended_at,
        runs.settings_sha256, runs.code_version, runs.counts, payrecon.english(runs.message), runs.last_batch_id
    from payrecon.runs_at(clock) as runs
$$;

create or replace view payrecon.v_runs with (security_invoker = true) as
select * from payrecon.v_runs_at('infinity');
