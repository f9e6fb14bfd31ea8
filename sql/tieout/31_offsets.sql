-- purpose: where Apple's day begins in each storefront: the whole hour at which most of our sales fall on a day on which Apple has
--          them too. It is learned from a storefront's largest products where enough was sold and one hour is better than
--          the one that is usual there; of hours that are equally good the one nearest to it.
-- parameters: none
-- grain:   tie_offset one row per storefront
create temp table tie_offset on commit drop as
with place as (
    select storefronts.storefront, storefronts.country, storefronts.offset_hours
    from storefronts
    union all
    select distinct tie_hour.storefront, tie_hour.storefront, 0
    from tie_hour
    where not exists (select 1 from storefronts where storefronts.storefront = tie_hour.storefront)
),
line as (
    select place.storefront, tie_l3.sku, tie_l3.country, tie_l3.currency, tie_l3.price, sum(tie_l3.units) as units
    from tie_l3
    inner join place on place.country = tie_l3.country
    inner join tie_period on tie_period.fiscal_period = tie_l3.fiscal_period
    where tie_l3.sign = 1
        and tie_l3.price > 0
        and tie_period.source in ('FINANCE_DETAIL', 'SALES')
    group by 1, 2, 3, 4, 5
),
-- Whole numbers from here on: a line, an hour and a day have one each, since each hour is tried with every beginning of the day.
largest as (
    select ranked.*, row_number() over (order by storefront, sku, currency, price) as line_no
    from (
        select line.*, row_number() over (partition by storefront order by units desc, sku, currency, price) as rank
        from line
    ) as ranked
    where rank <= 5
),
theirs as materialized (
    select largest.line_no, tie_l3.day - date '1970-01-01' as day_no, sum(tie_l3.units)::bigint as units
    from largest
    inner join tie_l3
        on tie_l3.sku = largest.sku
        and tie_l3.country = largest.country
        and tie_l3.currency = largest.currency
        and tie_l3.price = largest.price
        and tie_l3.sign = 1
    group by 1, 2
),
ours as (
    select
        largest.line_no, largest.storefront, (extract(epoch from tie_hour.hour) / 3600)::integer as hour_no,
        sum(tie_hour.units)::bigint as units
    from tie_hour
    inner join largest
        on largest.storefront = tie_hour.storefront
        and largest.sku = tie_hour.sku
        and largest.currency = tie_hour.currency
        and largest.price = tie_hour.price
    where tie_hour.kind in ('sale', 'kept')
    group by 1, 2, 3
),
-- Units of the twenty-four hours from each hour on: of the day that begins there.
running as (
    select
        hours.line_no, hours.hour_no,
        sum(coalesce(ours.units, 0)) over (
            partition by hours.line_no order by hours.hour_no rows between current row and 23 following
        )::bigint as units
    from (
        select span.line_no, generate_series(span.first_hour - 23, span.last_hour) as hour_no
        from (
            select ours.line_no, min(ours.hour_no) as first_hour, max(ours.hour_no) as last_hour from ours group by ours.line_no
        ) as span
    ) as hours
    left join ours on ours.line_no = hours.line_no and ours.hour_no = hours.hour_no
),
moved as materialized (
    select running.line_no, tried.offset_hours, (running.hour_no + tried.offset_hours) / 24 as day_no, running.units
    from running
    inner join generate_series(-12, 14) as tried (offset_hours)
        on (tried.offset_hours + 24) % 24 = (24 - running.hour_no % 24) % 24
    where running.units > 0
),
hit as (
    select largest.storefront, moved.offset_hours, sum(least(moved.units, theirs.units))::bigint as units
    from moved
    inner join theirs
        on theirs.line_no = moved.line_no
        and theirs.day_no = moved.day_no
    inner join largest on largest.line_no = moved.line_no
    group by 1, 2
),
-- What our days can hit at most: what lies on days that Apple's reports speak of at all.
total as (
    select ours.storefront, sum(ours.units)::bigint as units
    from ours
    group by 1
),
best as (
    select distinct on (hit.storefront) hit.storefront, hit.offset_hours, hit.units
    from hit
    inner join place on place.storefront = hit.storefront
    order by hit.storefront, hit.units desc, abs(hit.offset_hours - place.offset_hours), hit.offset_hours
)
select
    place.storefront, place.country,
    case when best.units > coalesce(usual.units, 0) and total.units >= 50 then best.offset_hours else place.offset_hours end
        as offset_hours,
    case
        when total.units >= 50 and best.units >= coalesce(usual.units, 0) then 'learned'
        else 'usual'
    end as basis,
    coalesce(total.units, 0) as unit_count,
    coalesce(case when total.units >= 50 then best.units else usual.units end, 0) as hit_count
from place
left join total on total.storefront = place.storefront
left join best on best.storefront = place.storefront
left join hit as usual on usual.storefront = place.storefront and usual.offset_hours = place.offset_hours;
