-- purpose: counts a chunk's new and changed orders by app, environment and hour of their change, and the orders that they
--          replace by theirs. Orders dated ahead have no hour.
-- grain:   one row per app, environment and hour
insert into input_hours as known (batch_id, kind, bundle_id, environment, fact_hour, row_count, replaced_count, newest_fact_at)
with credible as materialized (
    select min(batch_id) as batch_id, latest_credible_instant(min(batch_id)) as until from judged_order
),
version as (
    select bundle_id, environment, updated_at as fact_at, 1 as row_count, 0 as replaced_count
    from judged_order
    where outcome in ('new', 'newer')
    union all
    select known_bundle_id, known_environment, known_counted_at, 0, 1
    from judged_order
    where outcome = 'newer'
)
select
    credible.batch_id, 'orders', version.bundle_id, version.environment, dated.fact_hour, sum(version.row_count),
    sum(version.replaced_count), max(version.fact_at)
from version
cross join credible
cross join lateral (
    select case when version.fact_at <= credible.until then date_trunc('hour', version.fact_at, 'UTC') else 'infinity' end as fact_hour
) as dated
group by credible.batch_id, version.bundle_id, version.environment, dated.fact_hour
on conflict (batch_id, fact_hour, bundle_id, environment) do update
set
    row_count = known.row_count + excluded.row_count,
    replaced_count = known.replaced_count + excluded.replaced_count,
    newest_fact_at = greatest(known.newest_fact_at, excluded.newest_fact_at);
