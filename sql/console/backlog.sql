-- purpose: counts of pending cases by age.
-- parameters: as_of (timestamptz), inboxes (text[]): none for all
-- grain:   one row per age
with counted as materialized (
    select
        case
            when waiting.opened_at > :'as_of'::timestamptz - interval '1 day' then 1
            when waiting.opened_at > :'as_of'::timestamptz - interval '7 days' then 2
            when waiting.opened_at > :'as_of'::timestamptz - interval '30 days' then 3
            else 4
        end as place,
        count(*) as case_count,
        count(*) filter (where waiting.status = 'waiting_approval') as for_a_second_person,
        count(*) filter (where waiting.due_at < :'as_of'::timestamptz) as late,
        count(*) filter (where waiting.rank = 4) as critical
    from console_cases as waiting
    where waiting.status in ('open', 'waiting_approval')
        and waiting.opened_at <= :'as_of'::timestamptz
        and (cardinality(:'inboxes'::text[]) = 0 or waiting.teams && :'inboxes'::text[])
    group by 1
)
select
    phrase(age.key) as waits, coalesce(counted.case_count, 0) as case_count,
    coalesce(counted.for_a_second_person, 0) as for_a_second_person, coalesce(counted.late, 0) as late,
    coalesce(counted.critical, 0) as critical
from (
    values (1, 'dashboard.up_to_day'), (2, 'dashboard.up_to_week'), (3, 'dashboard.up_to_month'), (4, 'dashboard.longer')
) as age (place, key)
left join counted on counted.place = age.place
order by age.place;
