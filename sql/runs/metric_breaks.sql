-- purpose: for monitoring: undecided breaks, their oldest and the money at stake, and decided breaks. Sandbox breaks are
--          counted, never valued.
-- parameters: as_of (timestamptz)
-- grain:   one row per severity and currency (empty: breaks without money)
with open_break as materialized (
    select
        break_events.break_id, break_events.severity, break_events.currency, break_events.environment,
        break_events.amount_milliunits, break_events.opened_at
    from open_break_events as break_events
)
select
    severity,
    coalesce(currency, '') as currency,
    count(*) filter (where decided.break_id is null) as break_count,
    count(decided.break_id) as decided_count,
    coalesce(sum(at_stake(environment, amount_milliunits)) filter (where decided.break_id is null), 0) as exposure_milliunits,
    extract(epoch from min(opened_at) filter (where decided.break_id is null))::bigint as oldest_at
from open_break
left join decided_breaks_at(:'as_of'::timestamptz) as decided
    on decided.break_id = open_break.break_id
    and decided.ended_at is null
group by severity, coalesce(currency, '')
order by severity, coalesce(currency, '');
