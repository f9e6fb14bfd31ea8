-- purpose: the time zone of Apple's days in each storefront. A zone is learned if it fits clearly more units than the usual
--          zone. With twenty or more units sold that means three more and half a percent more, with fewer units half of
--          them. Any gain suffices if the zone fits all of Apple's units and fifty were sold. A zone that two storefronts
--          learned becomes the zone of the report series, unless a third fits another zone clearly better. It applies where
--          too few units were sold.
-- grain:   tie_offset one row per storefront, with the units that fit its zone and those that fit the second-best zone
create temp table tie_offset on commit drop as
with judged as (
    select
        best.*,
        gain >= margin and (units >= 20 or gain * 2 >= units)
        or gain > 0 and units >= 50 and hits = their_units as is_better,
        hits <= most - margin
        or hits < most and units >= 50 and most = their_units as is_worse
    from (
        select
            tie_zone_hit.*, greatest(3, units / 200.0) as margin, max(hits) over (partition by storefront) as most
        from tie_zone_hit
    ) as best
),
series as (
    select zone_no
    from judged
    group by zone_no
    having count(*) filter (where is_better) >= 2
        and not bool_or(is_worse)
    order by sum(hits) desc, zone_no
    limit 1
),
learned as (
    select distinct on (storefront) storefront, zone_no
    from judged
    where is_better
    order by
        storefront, zone_no in (select zone_no from series) desc, hits desc, distance, zone_no
),
chosen as (
    select
        tie_storefront.storefront, tie_storefront.country, tie_storefront.zone as usual_zone, coalesce(judged.units, 0) as units,
        coalesce(learned.zone_no, fitting.zone_no, usual.zone_no) as zone_no,
        case
            when learned.zone_no is not null then 'learned'
            when judged.units >= 50 and coalesce(fitting.zone_no, usual.zone_no) = usual.zone_no then 'learned'
            when fitting.zone_no is not null then 'series'
            else 'usual'
        end as basis
    from tie_storefront
    inner join tie_zone as usual on tie_storefront.zone = any(usual.zones)
    left join judged on judged.storefront = tie_storefront.storefront and judged.zone_no = usual.zone_no
    left join learned on learned.storefront = tie_storefront.storefront
    -- The zone of the series, unless fewer units fit it than the usual one.
    left join series as fitting
        on not exists (
            select 1
            from judged as losing
            where losing.storefront = tie_storefront.storefront
                and losing.zone_no = fitting.zone_no
                and losing.gain < 0
        )
),
runner_up as (
    select distinct on (judged.storefront) judged.storefront, judged.zone_no, judged.hits
    from judged
    inner join chosen on chosen.storefront = judged.storefront
    where judged.zone_no <> chosen.zone_no
    order by judged.storefront, judged.hits desc, judged.gain = 0 desc, judged.distance, judged.zone_no
)
select
    chosen.storefront, chosen.country, chosen.zone_no,
    case when chosen.usual_zone = any(tie_zone.zones) then chosen.usual_zone else tie_zone.zones[1] end as zone,
    chosen.basis, chosen.units as unit_count, coalesce(judged.hits, 0) as hit_count,
    case when chosen.usual_zone = any(other_zone.zones) then chosen.usual_zone else other_zone.zones[1] end as runner_up,
    runner_up.hits as runner_up_count
from chosen
inner join tie_zone on tie_zone.zone_no = chosen.zone_no
left join judged on judged.storefront = chosen.storefront and judged.zone_no = chosen.zone_no
left join runner_up on runner_up.storefront = chosen.storefront
left join tie_zone as other_zone on other_zone.zone_no = runner_up.zone_no;
