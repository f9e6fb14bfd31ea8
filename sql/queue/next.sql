-- purpose: the best open case that nobody has: most severe, then longest waiting.
-- parameters: as_of (timestamptz), refused (text[]): cases that somebody else got in the meantime
-- grain:   one row or none
select state.case_id
from cases_at(:'as_of'::timestamptz) as state
where state.status = 'open'
    and state.case_id <> all(:'refused'::text[])
order by state.rank desc, state.due_at, state.opened_at, state.case_id collate "C"
limit 1;
