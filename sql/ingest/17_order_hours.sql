-- purpose: counts a chunk's new and changed orders by app, environment and hour of their change, except those dated ahead.
-- grain:   one row per app, environment and hour
insert into input_hours as known (batch_id, kind, bundle_id, environment, fact_hour, row_count, newest_fact_at)
select min(batch_id), 'orders', bundle_id, environment, date_trunc('hour', updated_at, 'UTC'), count(*), max(updated_at)
from judged_order
where outcome in ('new', 'newer')
    and updated_at <= (select latest_credible_instant(min(batch_id)) from judged_order)
group by bundle_id, environment, date_trunc('hour', updated_at, 'UTC')
on conflict (batch_id, fact_hour, bundle_id, environment) do update
set
    row_count = known.row_count + excluded.row_count,
    newest_fact_at = greatest(known.newest_fact_at, excluded.newest_fact_at);
