-- purpose: open breaks, their oldest and the money at stake, for monitoring; Sandbox is counted, never valued.
-- parameters: none
-- grain:   one row per severity and currency (empty: breaks without money)
select
    severity,
    coalesce(currency, '') as currency,
    count(*) as break_count,
    coalesce(sum(amount_milliunits) filter (where environment = 'Production'), 0)::bigint as exposure_milliunits,
    extract(epoch from min(opened_at))::bigint as oldest_at
from open_breaks
inner join break_events
    on break_events.break_id = open_breaks.break_id
    and break_events.as_of = open_breaks.as_of
    and break_events.attempt = open_breaks.attempt
group by severity, coalesce(currency, '')
order by severity, coalesce(currency, '');
