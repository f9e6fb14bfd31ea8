-- purpose: where Apple's day begins in each storefront: the whole hour at which most of our sales fall on a day on which Apple has
--          them too. It is learned from a storefront's largest products where enough was sold and one hour is better than
--          the one that is usual there; of hours that are equally good the one nearest to it.
-- parameters: none
-- grain:   tie_offset one row per storefront
create temp table tie_offset on commit drop as
with
-- Units of the twenty-four hours from each hour on: of the day that begins there.
running as (
    select
        hours.line_no, hours.hour_no,
        sum(coalesce(tie_offset_hour.units, 0)) over (
            partition by hours.line_no order by hours.hour_no rows between current row and 23 following
        )::bigint as units
    from (
        select span.line_no, generate_series(span.first_hour - 23, span.last_hour) as hour_no
        from (
            select line_no, min(hour_no) as first_hour, max(hour_no) as last_hour
            from tie_offset_hour
            group by line_no
        ) as span
    ) as hours
    left join tie_offset_hour on tie_offset_hour.line_no = hours.line_no and tie_offset_hour.hour_no = hours.hour_no
),
moved as materialized (
    select running.line_no, tried.offset_hours, (running.hour_no + tried.offset_hours) / 24 as day_no, running.units
    from running
    inner join generate_series(-12, 14) as tried (offset_hours)
        on (tried.offset_hours + 24) % 24 = (24 - running.hour_no % 24) % 24
    where running.units > 0
),
hit as (
    select tie_offset_line.storefront, moved.offset_hours, sum(least(moved.units, tie_offset_theirs.units))::bigint as units
    from moved
    inner join tie_offset_theirs
        on tie_offset_theirs.line_no = moved.line_no
        and tie_offset_theirs.day_no = moved.day_no
    inner join tie_offset_line on tie_offset_line.line_no = moved.line_no
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
