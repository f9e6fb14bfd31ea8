-- purpose: figures as first reported against as known now: the first and the newest tie-out of each period, and the causes
--          of the difference: late facts, refunds, a report restated by Apple, settings, or the program.
-- parameters: as_of (timestamptz); rows/set_viewed.sql sets the same clock
-- grain:   one row per fiscal period, currency and metric, also without a difference
with moved as (
    select
        fiscal_period, currency, metric,
        sum(value) filter (where figure = 'first_reported') as first_reported, sum(value) filter (where figure = 'now') as now,
        sum(value) filter (where figure = 'delta') as delta,
        coalesce(sum(value) filter (where figure = 'delta_late_facts'), 0) as late,
        coalesce(sum(value) filter (where figure = 'delta_refunds'), 0) as refunds,
        coalesce(sum(value) filter (where figure = 'delta_restated_by_apple'), 0) as restated,
        coalesce(sum(value) filter (where figure = 'delta_policy'), 0) as policy,
        coalesce(sum(value) filter (where figure = 'delta_other'), 0) as other,
        sum(value) filter (where figure = 'rows_changed')::bigint as rows_changed
    from restated_rows() as restated_row
    group by fiscal_period, currency, metric
)
select
    'tieout' as report, moved.fiscal_period as period, latest.calendar_month, moved.currency as slice, moved.metric,
    trim_scale(moved.first_reported)::text as first_reported, latest.first_run_id as first_run,
    rfc3339(latest.first_as_of) as first_at, trim_scale(moved.now)::text as now, rfc3339(latest.as_of) as now_at,
    trim_scale(moved.delta)::text as delta,
    trim_scale(moved.late)::text as delta_late_facts,
    trim_scale(moved.refunds)::text as delta_refunds,
    trim_scale(moved.restated)::text as delta_restated_by_apple,
    trim_scale(moved.policy)::text as delta_policy,
    trim_scale(moved.other)::text as delta_other,
    moved.rows_changed
from moved
inner join latest_tieouts(:'as_of'::timestamptz, as_signed => false) as latest on latest.fiscal_period = moved.fiscal_period
order by moved.fiscal_period collate "C", moved.currency collate "C", moved.metric collate "C";
