-- purpose: the time zones that Apple's days may follow, with the instants at which their days begin: the usual zone of every storefront,
--          and those of large countries that have several. Zones with equal days are one. The first zones of the list name it.
-- parameters: none
-- grain:   tie_zone one row per sequence of days; begins holds the first quarter hour, since 1970, of each day after day_before
create temp table tie_zone on commit drop as
with preferred as (
    select listed.zone, listed.place
    from unnest(array[
        'America/Los_Angeles', 'UTC', 'America/New_York', 'America/Chicago', 'America/Denver', 'America/Sao_Paulo', 'Europe/London',
        'Europe/Berlin', 'Europe/Moscow', 'Asia/Dubai', 'Asia/Kolkata', 'Asia/Shanghai', 'Asia/Tokyo', 'Australia/Sydney',
        'Pacific/Auckland', 'America/Anchorage', 'America/Phoenix', 'America/St_Johns', 'Atlantic/Azores', 'Australia/Adelaide',
        'Australia/Darwin', 'Pacific/Honolulu'
    ]) with ordinality as listed (zone, place)
),
candidate as (
    select preferred.zone, preferred.place
    from preferred
    union all
    select distinct storefronts.zone, 100
    from storefronts
    where storefronts.zone not in (select preferred.zone from preferred)
),
begun as (
    select
        candidate.zone, candidate.place, min(day.day)::date - 1 as day_before,
        array_agg((date_part('epoch', day.day at time zone candidate.zone) / 900)::integer order by day.day) as begins
    from candidate
    cross join tie_run
    -- Any zone's days of the instants that are read, and the day after them.
    cross join lateral generate_series(
        (tie_run.day_from - 2)::timestamp, (tie_run.day_to + 3)::timestamp, interval '1 day'
    ) as day (day)
    group by candidate.zone, candidate.place
)
select
    row_number() over (order by min(begun.place), min(begun.zone)) as zone_no,
    array_agg(begun.zone order by begun.place, begun.zone) as zones, begun.day_before, begun.begins
from begun
group by begun.day_before, begun.begins;
