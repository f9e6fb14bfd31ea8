-- purpose: counts of pending cases by break class and rule; a case with several is counted under each.
-- parameters: as_of (timestamptz), inboxes (text[]): none for all; rows (bigint)
-- grain:   one row per class or rule
select
    name.name as about,
    count(*) as case_count,
    count(*) filter (where waiting.due_at < :'as_of'::timestamptz) as late,
    severity_of(max(waiting.rank)) as worst_case
from console_cases as waiting
cross join lateral unnest(waiting.names) as name (name)
where waiting.status in ('open', 'waiting_approval')
    and (cardinality(:'inboxes'::text[]) = 0 or waiting.teams && :'inboxes'::text[])
group by name.name
order by case_count desc, name.name
limit :'rows'::bigint;
