-- purpose: units of a storefront's largest products that each time zone assigns to a day with Apple units, and the gain over
--          the usual zone.
-- planner: set local enable_sort = off
-- grain:   tie_zone_hit one row per storefront and zone with a sale of such a product; units are ours, their_units Apple's
create temp table tie_zone_hit on commit drop as
-- Cumulative units of each line at each quarter hour with a sale.
with line as (
    select summed.line_no, array_agg(summed.quarter_no order by summed.quarter_no) as quarters,
        array_agg(summed.upto order by summed.quarter_no) as sums
    from (
        select line_no, quarter_no, sum(units) over (partition by line_no order by quarter_no)::bigint as upto
        from tie_offset_quarter
    ) as summed
    group by summed.line_no
),
zone_day as (
    select
        tie_zone.zone_no, tie_zone.day_before + begin.number::integer as day, begin.quarter_no as begins_at,
        lead(begin.quarter_no) over (partition by tie_zone.zone_no order by begin.number) as ends_at
    from tie_zone
    cross join lateral unnest(tie_zone.begins) with ordinality as begin (quarter_no, number)
),
-- Our units of each day of Apple's: the cumulative sum at its end less the sum at its start.
tried as (
    select
        day.storefront, zone_day.zone_no, day.units as their_units,
        coalesce(line.sums[width_bucket(zone_day.ends_at - 1, line.quarters)], 0)
            - coalesce(line.sums[width_bucket(zone_day.begins_at - 1, line.quarters)], 0) as units
    from tie_offset_theirs as day
    inner join line on line.line_no = day.line_no
    inner join zone_day on zone_day.day = day.day
    -- Looks up the sums before grouping, so that a line's whole array is not carried along.
    offset 0
),
hit as (
    select tried.storefront, tried.zone_no, sum(least(tried.units, tried.their_units))::bigint as hits
    from tried
    group by 1, 2
)
select
    hit.storefront, hit.zone_no, hit.hits, ours.units, theirs.units as their_units, hit.hits - coalesce(usual_hit.hits, 0) as gain,
    -- Distance in quarter hours between the starts of their days.
    abs(tie_zone.begins[1] - usual.begins[1]) as distance
from hit
inner join tie_zone on tie_zone.zone_no = hit.zone_no
inner join (select storefront, sum(units)::bigint as units from tie_offset_quarter group by storefront) as ours
    on ours.storefront = hit.storefront
inner join (select storefront, sum(units)::bigint as units from tie_offset_theirs group by storefront) as theirs
    on theirs.storefront = hit.storefront
inner join tie_storefront on tie_storefront.storefront = hit.storefront
inner join tie_zone as usual on tie_storefront.zone = any(usual.zones)
left join hit as usual_hit
    on usual_hit.storefront = hit.storefront
    and usual_hit.zone_no = usual.zone_no;
