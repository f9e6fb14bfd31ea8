-- purpose: T3: the same refund on another day, at most sixty days apart. Apple books it on settlement or on the day of the
--          sale. Refunds and returns near each other are paired first, so that an older unreported return does not take a
--          refund from its neighbour. The rest is paired in order of days.
-- parameters: gap (bigint: days between neighbours that separate two groups; the step runs for each gap, the least first)
-- grain:   one pair per cell of ours and cell of Apple's
insert into tie_pair (cause, l1_no, l3_no, units, detail)
with side as (
    select
        tie_rest.cell_no, tie_rest.line_no, tie_rest.day, tie_rest.l1_left - tie_rest.partial_left as l1_left, tie_rest.l3_left,
        case tie_period.source
            when 'FINANCIAL' then phrase('detail.refund_in_report', 'period', tie_rest.fiscal_period)
            else phrase('detail.refund_on_day', 'day', tie_rest.day::text)
        end as booked,
        tie_rest.day - lag(tie_rest.day) over (partition by tie_rest.line_no order by tie_rest.day, tie_rest.cell_no) as days_after
    from tie_rest
    inner join tie_period on tie_period.fiscal_period = tie_rest.fiscal_period
    where tie_rest.sign = -1
        -- Our side needs a report of its period, which may otherwise still contain the refund.
        and (tie_rest.l3_left > 0 or tie_rest.l1_left > tie_rest.partial_left and tie_period.source is not null)
),
grouped as (
    select side.*, count(*) filter (where days_after > :'gap'::bigint) over (partition by line_no order by day, cell_no) as group_no
    from side
),
summed as materialized (
    select
        grouped.*,
        sum(l1_left) over nearby as l1_upto, sum(l3_left) over nearby as l3_upto
    from grouped
    window nearby as (partition by line_no, group_no order by day, cell_no)
)
select 'T3', ours.cell_no, theirs.cell_no, shared.units, theirs.booked
from summed as ours
inner join summed as theirs using (line_no, group_no)
cross join lateral (select paired_units(ours.l1_upto, ours.l1_left, theirs.l3_upto, theirs.l3_left) as units) as shared
where shared.units > 0
    and abs(theirs.day - ours.day) <= 60;
