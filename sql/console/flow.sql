-- purpose: cases opened and cases decided on each of the last days, limited to an account's inboxes.
-- parameters: as_of (timestamptz), inboxes (text[]): none for all; days (bigint): number of days up to the clock
-- grain:   one row per day in UTC, oldest first
with day as (
    select to_char((:'as_of'::timestamptz at time zone 'UTC')::date - back.days::integer, 'YYYY-MM-DD') as day
    from generate_series(0, :'days'::bigint - 1) as back (days)
),
opened as (
    select to_char(kept.opened_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as case_count
    from console_cases as kept
    where kept.opened_at > :'as_of'::timestamptz - make_interval(days => :'days'::bigint::integer)
        and kept.opened_at <= :'as_of'::timestamptz
        and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
    group by 1
),
decided as (
    select to_char(case_decisions.at at time zone 'UTC', 'YYYY-MM-DD') as day, count(distinct case_decisions.case_id) as case_count
    from case_decisions
    inner join console_cases as kept on kept.case_id = case_decisions.case_id
    where case_decisions.step = 'effective'
        and case_decisions.at > :'as_of'::timestamptz - make_interval(days => :'days'::bigint::integer)
        and case_decisions.at <= :'as_of'::timestamptz
        and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
    group by 1
)
select day.day, coalesce(opened.case_count, 0) as opened, coalesce(decided.case_count, 0) as decided
from day
left join opened on opened.day = day.day
left join decided on decided.day = day.day
order by day.day;
