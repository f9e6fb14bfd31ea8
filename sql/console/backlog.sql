-- purpose: what waits, by how long it has waited.
-- parameters: as_of (timestamptz), inboxes (text[]): none for all
-- grain:   one row per age
select
    age.label as waits,
    count(waiting.case_id) as case_count,
    count(waiting.case_id) filter (where waiting.status = 'waiting_approval') as for_a_second_person,
    count(waiting.case_id) filter (where waiting.due_at < :'as_of'::timestamptz) as late,
    count(waiting.case_id) filter (where waiting.rank = 4) as critical
from (
    values (1, 'up to a day', 0, 1), (2, 'up to a week', 1, 7), (3, 'up to thirty days', 7, 30), (4, 'longer', 30, 36500)
) as age (place, label, days_from, days_to)
left join console_cases as waiting
    on waiting.status in ('open', 'waiting_approval')
    and waiting.opened_at <= :'as_of'::timestamptz - make_interval(days => age.days_from)
    and waiting.opened_at > :'as_of'::timestamptz - make_interval(days => age.days_to)
    and (cardinality(:'inboxes'::text[]) = 0 or waiting.teams && :'inboxes'::text[])
group by age.place, age.label
order by age.place;
