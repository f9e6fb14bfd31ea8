-- purpose: cases opened and decided on each of the last days, and those pending at its end, limited to an account's inboxes.
--          A case that ended by itself counts as opened, not as pending.
-- parameters: as_of (timestamptz), inboxes (text[]): none for all; days (bigint): number of days up to the clock
-- grain:   one row per day in UTC, oldest first
with day as (
    select (:'as_of'::timestamptz at time zone 'UTC')::date - back.days::integer as day
    from generate_series(0, :'days'::bigint - 1) as back (days)
),
decision as materialized (
    select (effective.at at time zone 'UTC')::date as day, effective.case_id
    from effective_decisions_at(:'as_of'::timestamptz) as effective
    where effective.at > :'as_of'::timestamptz - make_interval(days => :'days'::bigint::integer)
    group by 1, effective.case_id
),
decided as (
    select decision.day, count(*) as case_count
    from decision
    inner join console_cases as kept on kept.case_id = decision.case_id
    where cardinality(:'inboxes'::text[]) = 0
        or kept.teams && :'inboxes'::text[]
    group by decision.day
),
ended as (select decision.case_id, max(decision.day) as day from decision group by decision.case_id),
seen as materialized (
    select
        greatest((kept.opened_at at time zone 'UTC')::date, first_day.day) as counted_from,
        (kept.opened_at at time zone 'UTC')::date as day,
        ended.day as ended_on,
        kept.status in ('open', 'waiting_approval') as is_pending,
        count(*) as case_count
    from console_cases as kept
    cross join (select min(day.day) as day from day) as first_day
    left join ended on ended.case_id = kept.case_id
    where kept.opened_at <= :'as_of'::timestamptz
        and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
    group by 1, 2, 3, 4
),
opened as (select seen.day, sum(seen.case_count) as case_count from seen group by seen.day),
change as (
    select seen.counted_from as day, seen.case_count as change
    from seen
    where seen.is_pending
        or seen.ended_on is not null
    union all
    select seen.ended_on, - seen.case_count
    from seen
    where not seen.is_pending
        and seen.ended_on is not null
),
changed as (select change.day, sum(change.change) as change from change group by change.day)
select
    to_char(day.day, 'YYYY-MM-DD') as day, coalesce(opened.case_count, 0) as opened, coalesce(decided.case_count, 0) as decided,
    sum(coalesce(changed.change, 0)) over (order by day.day) as backlog
from day
left join opened on opened.day = day.day
left join decided on decided.day = day.day
left join changed on changed.day = day.day
order by day.day;
