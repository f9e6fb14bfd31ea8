-- purpose: open breaks, their oldest and the money at stake, for monitoring; Sandbox is counted, never valued.
-- parameters: none
-- grain:   one row per severity and currency (empty: breaks without money)
with latest as (
    select distinct on (break_id) break_id, severity, currency, environment, amount_milliunits, is_open, opened_at
    from break_events
    order by break_id asc, as_of desc, attempt desc
)
select
    severity,
    coalesce(currency, '') as currency,
    count(*) as break_count,
    coalesce(sum(amount_milliunits) filter (where environment = 'Production'), 0)::bigint as exposure_milliunits,
    extract(epoch from min(opened_at))::bigint as oldest_at
from latest
where is_open
group by severity, coalesce(currency, '')
order by severity, coalesce(currency, '');
