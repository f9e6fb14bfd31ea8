-- purpose: counts the orders that a chunk told anew, by the hour of what they tell.
-- parameters: none
-- grain:   one row per hour
insert into input_hours as known (batch_id, kind, fact_hour, row_count, newest_fact_at)
select min(batch_id), 'orders', date_trunc('hour', updated_at, 'UTC'), count(*), max(updated_at)
from judged_order
where outcome in ('new', 'newer')
group by date_trunc('hour', updated_at, 'UTC')
on conflict (batch_id, fact_hour) do update
set
    row_count = known.row_count + excluded.row_count,
    newest_fact_at = greatest(known.newest_fact_at, excluded.newest_fact_at);
