-- purpose: candidate time zones of Apple's days, with the instants at which their days start: the usual zone of every
--          storefront, and the zones of large countries. Zones with equal days are merged under the first name in the list.
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
day_begin as (
    select
        candidate.zone, candidate.place, min(day.day)::date - 1 as day_before,
        array_agg((date_part('epoch', day.day at time zone candidate.zone) / 900)::integer order by day.day) as begins
    from candidate
    cross join tie_run
    -- The days of any zone in the evaluated range, and one more day at each end.
    cross join lateral generate_series(
        (tie_run.day_from - 2)::timestamp, (tie_run.day_to + 3)::timestamp, interval '1 day'
    ) as day (day)
    group by candidate.zone, candidate.place
)
select
    row_number() over (order by min(day_begin.place), min(day_begin.zone)) as zone_no,
    array_agg(day_begin.zone order by day_begin.place, day_begin.zone) as zones, day_begin.day_before, day_begin.begins
from day_begin
group by day_begin.day_before, day_begin.begins;
