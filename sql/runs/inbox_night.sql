-- purpose: the last complete night before a clock that read a file; a later night without an inbox then lacks one.
-- parameters: as_of (timestamptz)
-- grain:   at most one row
select rfc3339(runs.as_of) as as_of
from runs
inner join batches on batches.run_id = runs.run_id
where runs.job = 'nightly'
    and is_complete(runs.verdict)
    and runs.as_of < :'as_of'::timestamptz
    and batches.source = 'import'
order by runs.as_of desc
limit 1;
