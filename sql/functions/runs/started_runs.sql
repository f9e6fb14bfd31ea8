-- purpose: The start of each run, with the newest clock at which an earlier run had decided.
-- grain:   one row per run and attempt; decided_at is null if no earlier run decided
create or replace view payrecon.started_runs with (security_invoker = true) as
select
    runs.run_id, runs.attempt, runs.as_of, runs.started_at,
    max(runs.as_of) filter (where runs.bound_batch_id is not null) over (
        order by runs.started_at, runs.run_id, runs.attempt rows between unbounded preceding and 1 preceding
    ) as decided_at
from payrecon.runs;
