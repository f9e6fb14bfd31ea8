-- purpose: where Apple's day begins in each storefront: the whole hour at which most of our sales fall on a day on which Apple has
--          them too. It is learned from a storefront's largest products where enough was sold and one hour is better than
--          the one that is usual there; of hours that are equally good the one nearest to it.
-- parameters: none
-- planner: set local enable_sort = off
-- grain:   tie_offset one row per storefront
create temp table tie_offset on commit drop as
with
-- Units of each line up to each hour: sums stand until the next hour in which we sold.
upto as (
    select counted.line_no, generate_series(counted.hour_no, counted.next_hour - 1) as hour_no, counted.units
    from (
        select
            line_no, hour_no, sum(units) over line::bigint as units,
            coalesce(lead(hour_no) over line, hour_no + 1) as next_hour
        from tie_offset_hour
        window line as (partition by line_no order by hour_no)
    ) as counted
),
line as (
    select line_no, min(hour_no) as first_hour, max(hour_no) as last_hour, array_agg(units order by hour_no) as sums
    from upto
    group by line_no
),
-- Of every day that Apple's reports have, and for every hour at which it may begin: our units up to its end, less those before it.
moved as (
    select
        tried.line_no, tried.offset_hours, tried.their_units,
        tried.sums[least(tried.first_hour + 23, tried.last_sold) - tried.first_sold + 1]
            - coalesce(tried.sums[least(tried.first_hour - 1, tried.last_sold) - tried.first_sold + 1], 0) as units
    from (
        select
            day.line_no, day.their_units, day.offset_hours, day.day_no * 24 - day.offset_hours as first_hour,
            line.first_hour as first_sold, line.last_hour as last_sold, line.sums
        from line
        inner join (
            select line_no, day_no, units as their_units, generate_series(-12, 14) as offset_hours from tie_offset_theirs
        ) as day on day.line_no = line.line_no
    ) as tried
    -- Sums are looked up before anything is grouped: a whole line's are not carried along.
    offset 0
),
hit as (
    select tie_offset_line.storefront, added.offset_hours, sum(added.units)::bigint as units
    from (
        select moved.line_no, moved.offset_hours, sum(least(moved.units, moved.their_units)) as units
        from moved
        where moved.units > 0
        group by moved.line_no, moved.offset_hours
    ) as added
    inner join tie_offset_line on tie_offset_line.line_no = added.line_no
    group by 1, 2
),
-- What our days can hit at most: what lies on days that Apple's reports speak of at all.
total as (
    select tie_offset_hour.storefront, sum(tie_offset_hour.units)::bigint as units
    from tie_offset_hour
    group by 1
),
best as (
    select distinct on (hit.storefront) hit.storefront, hit.offset_hours, hit.units
    from hit
    inner join tie_place on tie_place.storefront = hit.storefront
    order by hit.storefront, hit.units desc, abs(hit.offset_hours - tie_place.offset_hours), hit.offset_hours
)
select
    tie_place.storefront, tie_place.country,
    case when best.units > coalesce(usual.units, 0) and total.units >= 50 then best.offset_hours else tie_place.offset_hours end
        as offset_hours,
    case
        when total.units >= 50 and best.units >= coalesce(usual.units, 0) then 'learned'
        else 'usual'
    end as basis,
    coalesce(total.units, 0) as unit_count,
    coalesce(case when total.units >= 50 then best.units else usual.units end, 0) as hit_count
from tie_place
left join total on total.storefront = tie_place.storefront
left join best on best.storefront = tie_place.storefront
left join hit as usual on usual.storefront = tie_place.storefront and usual.offset_hours = tie_place.offset_hours;
