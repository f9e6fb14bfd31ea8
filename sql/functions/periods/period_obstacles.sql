-- purpose: Returns the conditions that a fiscal period does not meet for its close as of a clock. The program lists them, and
--          the trigger of payrecon.period_steps refuses a close with any.
-- grain:   one row per condition that is not met, in the order of the work
create or replace function payrecon.period_obstacles(period text, as_of timestamptz, at timestamptz, target numeric) returns table (
    place integer, obstacle jsonb
)
language sql stable parallel safe
as $$
    with this as (
        select fiscal_periods.*, payrecon.apple_midnight(fiscal_periods.ends_on + 2) as over_at
        from payrecon.fiscal_periods
        where fiscal_periods.fiscal_period = $1
    ),
    tied as (
        select covered.* from payrecon.period_coverage($2) as covered where covered.fiscal_period = $1
    )
    select 1, to_jsonb(format('"%s" is no fiscal period of Apple''s calendar', $1))
    where not exists (select 1 from this)
    union all
    select 2, payrecon.phrase('said.period_closed', 'period', $1, 'at', payrecon.rfc3339(closed.as_of))
    from payrecon.closed_periods_at($3) as closed
    where closed.fiscal_period = $1
    union all
    select 3, payrecon.phrase('said.period_not_over', 'period', $1, 'at', payrecon.rfc3339(this.over_at))
    from this
    where $2 < this.over_at
    union all
    select 4, payrecon.phrase(
        'said.period_earlier_open', 'list', string_agg(earlier.fiscal_period, ', ' order by earlier.starts_on)
    )
    from this
    inner join payrecon.opened_periods_at($2) as earlier on earlier.starts_on < this.starts_on
    where not exists (
        select 1 from payrecon.closed_periods_at($3) as closed where closed.fiscal_period = earlier.fiscal_period
    )
    having count(*) > 0
    union all
    select 5, payrecon.phrase('said.period_not_tied', 'period', $1, 'at', payrecon.rfc3339($2))
    from this
    where not exists (select 1 from tied)
    union all
    select 6, payrecon.phrase('said.period_reports_later', 'period', $1, 'count', count(*)::text)
    from tied
    inner join payrecon.finance_files_at($2) as file
        on file.fiscal_period = tied.fiscal_period
        and file.is_current
        and file.report in ('FINANCIAL', 'FINANCE_DETAIL', 'PAYMENTS')
        and file.known_at > tied.tied_out_at
    having count(*) > 0
    union all
    -- The tie-out did not count them.
    select 7, payrecon.phrase('said.period_charges_changed', 'period', $1, 'count', changed.changed_count::text)
    from tied
    cross join this
    cross join lateral (
        select payrecon.changed_charges(this.starts_on, this.ends_on, tied.tied_out_at, $2) as changed_count
    ) as changed
    where changed.changed_count > 0
    union all
    select 8, payrecon.phrase(
        'said.period_below_target', 'period', $1, 'coverage', tied.coverage::text, 'target', $4::text
    )
    from tied
    where tied.coverage < $4
$$;
