-- purpose: figures as they were first reported against as known now: by the first and the newest tie-out of each period, with what
--          moved them:
--          facts that came late, refunds, a report that Apple restated, settings, or the program.
-- parameters: as_of (timestamptz)
-- grain:   one row per fiscal period, currency and metric that moved or did not
with latest as materialized (
    select * from latest_tieouts(:'as_of'::timestamptz) as known
),
cell as (
    select side.is_first, tieout_cells.*
    from latest
    cross join lateral (values (true, latest.first_as_of), (false, latest.as_of)) as side (is_first, at)
    inner join tieout_cells
        on tieout_cells.fiscal_period = latest.fiscal_period
        and tieout_cells.as_of = side.at
),
paired as (
    select
        coalesce(before.fiscal_period, after.fiscal_period) as fiscal_period,
        coalesce(before.customer_currency, after.customer_currency) as currency,
        coalesce(before.sign, after.sign) as sign,
        coalesce(before.customer_price, after.customer_price) as price,
        coalesce(before.l1_units, 0) as l1_before, coalesce(after.l1_units, 0) as l1_after,
        coalesce(before.l3_units, 0) as l3_before, coalesce(after.l3_units, 0) as l3_after,
        coalesce(before.unexplained_units, 0) as rest_before, coalesce(after.unexplained_units, 0) as rest_after,
        coalesce(before.open_units, 0) as open_before, coalesce(after.open_units, 0) as open_after,
        (coalesce(before.l1_units, 0), coalesce(before.l3_units, 0), coalesce(before.status, ''))
            <> (coalesce(after.l1_units, 0), coalesce(after.l3_units, 0), coalesce(after.status, '')) as is_changed
    from (select * from cell where is_first) as before
    full join (select * from cell where not is_first) as after
        on after.fiscal_period = before.fiscal_period
        and after.cell_id = before.cell_id
),
moved as (
    select
        fiscal_period, currency, 'our gross' as metric, sum(l1_before * price) as first_reported, sum(l1_after * price) as now,
        coalesce(sum((l1_after - l1_before) * price) filter (where sign = 1), 0) as late,
        coalesce(sum((l1_after - l1_before) * price) filter (where sign = -1), 0) as refunds,
        0::numeric as restated, count(*) filter (where is_changed) as rows_changed
    from paired
    group by 1, 2
    union all
    select
        fiscal_period, currency, 'Apple gross', sum(l3_before * price), sum(l3_after * price), 0, 0,
        sum((l3_after - l3_before) * price), count(*) filter (where is_changed)
    from paired
    group by 1, 2
    union all
    select
        fiscal_period, currency, 'unexplained', sum(rest_before * price), sum(rest_after * price),
        sum((rest_after - rest_before) * price), 0, 0, count(*) filter (where is_changed)
    from paired
    group by 1, 2
    union all
    select
        fiscal_period, currency, 'not yet settled', sum(open_before * price), sum(open_after * price), 0, 0,
        sum((open_after - open_before) * price), count(*) filter (where is_changed)
    from paired
    group by 1, 2
)
select
    'tieout' as report, moved.fiscal_period as period, latest.calendar_month, moved.currency as slice, moved.metric,
    trim_scale(moved.first_reported)::text as first_reported, latest.first_run_id as first_run,
    rfc3339(latest.first_as_of) as first_at, trim_scale(moved.now)::text as now, rfc3339(latest.as_of) as now_at,
    trim_scale(moved.now - moved.first_reported)::text as delta,
    trim_scale(case when latest.settings_sha256 = latest.first_settings_sha256 then moved.late else 0 end)::text as delta_late_facts,
    trim_scale(moved.refunds)::text as delta_refunds,
    trim_scale(moved.restated)::text as delta_restated_by_apple,
    trim_scale(case when latest.settings_sha256 <> latest.first_settings_sha256 then moved.late else 0 end)::text as delta_policy,
    trim_scale(moved.now - moved.first_reported - moved.late - moved.refunds - moved.restated)::text as delta_other,
    moved.rows_changed
from moved
inner join latest on latest.fiscal_period = moved.fiscal_period
order by moved.fiscal_period collate "C", moved.currency, moved.metric;
