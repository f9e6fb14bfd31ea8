-- purpose: Returns the conditions that a fiscal period does not meet for its close as of a clock. The program lists them, and
--          the trigger of payrecon.period_steps refuses a close with any.
-- grain:   one row per condition that is not met, in the order of the work
create or replace function payrecon.period_obstacles(period text, as_of timestamptz, at timestamptz, target numeric) returns table (
    place integer, obstacle jsonb
)
language sql stable parallel safe
as $$
    with requested_period as (
        select fiscal_periods.*, payrecon.apple_midnight(fiscal_periods.ends_on + 2) as over_at
        from payrecon.fiscal_periods
        where fiscal_periods.fiscal_period = $1
    ),
    covered_period as (
        select covered.* from payrecon.period_coverage($2) as covered where covered.fiscal_period = $1
    )
    select 1, to_jsonb(format('"%s" is no fiscal period of Apple''s calendar', $1))
    where not exists (select 1 from requested_period)
    union all
    select 2, payrecon.phrase('said.period_closed', 'period', $1, 'at', payrecon.rfc3339(closed.as_of))
    from payrecon.closed_periods_at($3) as closed
    where closed.fiscal_period = $1
    union all
    select 3, payrecon.phrase('said.period_not_over', 'period', $1, 'at', payrecon.rfc3339(requested_period.over_at))
    from requested_period
    where $2 < requested_period.over_at
    union all
    select 4, payrecon.phrase(
        'said.period_earlier_open', 'list', string_agg(earlier.fiscal_period, ', ' order by earlier.starts_on)
    )
    from requested_period
    inner join payrecon.opened_periods_at($2) as earlier on earlier.starts_on < requested_period.starts_on
    where not exists (
        select 1 from payrecon.closed_periods_at($3) as closed where closed.fiscal_period = earlier.fiscal_period
    )
    having count(*) > 0
    union all
    select 5, payrecon.phrase('said.period_not_tied', 'period', $1, 'at', payrecon.rfc3339($2))
    from requested_period
    where not exists (select 1 from covered_period)
    union all
    select 6, payrecon.phrase('said.period_reports_later', 'period', $1, 'count', count(*)::text)
    from covered_period
    inner join payrecon.finance_files_at($2) as file
        on file.fiscal_period = covered_period.fiscal_period
        and file.is_current
        and file.report in ('FINANCIAL', 'FINANCE_DETAIL', 'PAYMENTS')
        and file.known_at > covered_period.tied_out_at
    having count(*) > 0
    union all
    -- The tie-out did not count them.
    select 7, payrecon.phrase('said.period_charges_changed', 'period', $1, 'count', changed.changed_count::text)
    from covered_period
    cross join requested_period
    cross join lateral (
        select payrecon.changed_charges(
            requested_period.starts_on, requested_period.ends_on, covered_period.tied_out_at, $2
        ) as changed_count
    ) as changed
    where changed.changed_count > 0
    union all
    select 8, payrecon.phrase(
        'said.period_below_target', 'period', $1, 'coverage', covered_period.coverage::text, 'target', $4::text
    )
    from covered_period
    where covered_period.coverage < $4
$$;
