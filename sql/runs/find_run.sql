-- purpose: a run's identity, from its latest attempt.
-- parameters: run_id (text)
-- grain:   at most one row
select rfc3339(as_of) as as_of, settings_sha256, code_version, coalesce(verdict, 'running') as verdict
from runs
where run_id = :'run_id'::text
order by attempt desc
limit 1;
