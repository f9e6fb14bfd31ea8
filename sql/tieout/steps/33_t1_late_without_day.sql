-- purpose: T1 if one of the two periods has only FINANCIAL, whose cells cover the whole period, so that no sale day shows
--          the delay. Pairs a sale of one period with the report of a later one, the next period first. A day in Apple's
--          line must be in our period. Returns are handled by T3.
-- parameters: later (bigint: number of periods later; the step runs for 1, then for each more up to the horizon)
-- grain:   one pair per cell of ours and cell of Apple's, the days at our period's end first
insert into tie_pair (cause, l1_no, l3_no, units, detail)
with ours as (
    select
        tie_rest.cell_no, tie_rest.line_no, tie_rest.period_no, tie_rest.l1_left, tie_period.source, tie_period.starts_on,
        tie_period.ends_on,
        sum(tie_rest.l1_left) over (
            partition by tie_rest.line_no, tie_rest.period_no order by tie_rest.day desc, tie_rest.cell_no
        ) as upto
    from tie_rest
    inner join tie_period on tie_period.fiscal_period = tie_rest.fiscal_period
    where tie_rest.l1_left > 0
        and tie_rest.sign = 1
        -- A period without a report may still contain the sale.
        and tie_period.source is not null
),
theirs as (
    select
        tie_rest.cell_no, tie_rest.line_no, tie_rest.day, tie_rest.period_no, tie_rest.fiscal_period, tie_rest.l3_left, tie_period.source,
        sum(tie_rest.l3_left) over (
            partition by tie_rest.line_no, tie_rest.period_no, sold.period_no order by tie_rest.day desc, tie_rest.cell_no
        ) as upto
    from tie_rest
    inner join tie_period on tie_period.fiscal_period = tie_rest.fiscal_period
    -- A line with a day is compared only with the period of that day.
    left join tie_period as sold
        on tie_period.source = 'FINANCE_DETAIL'
        and tie_rest.day between sold.starts_on and sold.ends_on
    where tie_rest.l3_left > 0
        and tie_rest.sign = 1
        and exists (select 1 from tie_period as monthly where monthly.source = 'FINANCIAL')
)
select
    'T1', ours.cell_no, theirs.cell_no, shared.units, phrase('detail.settled_in', 'period', theirs.fiscal_period)
from ours
inner join theirs
    on theirs.line_no = ours.line_no
    and theirs.period_no = ours.period_no + :'later'::bigint
cross join lateral (select paired_units(ours.upto, ours.l1_left, theirs.upto, theirs.l3_left) as units) as shared
where (theirs.source = 'FINANCIAL' or ours.source = 'FINANCIAL' and theirs.day between ours.starts_on and ours.ends_on)
    and shared.units > 0;
