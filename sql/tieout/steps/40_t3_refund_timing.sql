-- purpose: T3: the same refund on another day, at most sixty days apart. Apple books it on settlement or on the day of the
--          sale. Refunds and returns at most three days apart are paired first, so that an older unreported return does not
--          take a refund from its neighbour. The rest is paired in order of days.
-- grain:   one pair per cell of ours and cell of Apple's
insert into tie_pair (cause, l1_no, l3_no, units, detail)
with side as (
    select
        tie_rest.cell_no, tie_rest.line_no, tie_rest.day, tie_rest.l1_left, tie_rest.l3_left,
        case tie_period.source
            when 'FINANCIAL' then phrase('detail.refund_in_report', 'period', tie_rest.fiscal_period)
            else phrase('detail.refund_on_day', 'day', tie_rest.day::text)
        end as booked,
        tie_rest.day - lag(tie_rest.day) over (partition by tie_rest.line_no order by tie_rest.day, tie_rest.cell_no) as gap
    from tie_rest
    inner join tie_period on tie_period.fiscal_period = tie_rest.fiscal_period
    where tie_rest.sign = -1 and not tie_rest.is_partial
        -- Our side needs a report of its period, which may otherwise still contain the refund.
        and (tie_rest.l3_left > 0 or tie_rest.l1_left > 0 and tie_period.source is not null)
),
grouped as (
    select side.*, count(*) filter (where gap > 3) over (partition by line_no order by day, cell_no) as group_no
    from side
),
summed as materialized (
    select
        grouped.*,
        sum(l1_left) over nearby as l1_upto, sum(l3_left) over nearby as l3_upto
    from grouped
    window nearby as (partition by line_no, group_no order by day, cell_no)
),
near as materialized (
    select
        ours.cell_no as l1_no, theirs.cell_no as l3_no, theirs.booked,
        least(ours.l1_upto, theirs.l3_upto) - greatest(ours.l1_upto - ours.l1_left, theirs.l3_upto - theirs.l3_left) as units
    from summed as ours
    inner join summed as theirs using (line_no, group_no)
    where ours.l1_left > 0
        and theirs.l3_left > 0
        and ours.l1_upto > theirs.l3_upto - theirs.l3_left
        and theirs.l3_upto > ours.l1_upto - ours.l1_left
        and abs(theirs.day - ours.day) <= 60
),
rest as materialized (
    select
        pass.cell_no, pass.line_no, pass.day, pass.booked, pass.l1_left, pass.l3_left,
        sum(pass.l1_left) over line as l1_upto, sum(pass.l3_left) over line as l3_upto
    from (
        select
            summed.cell_no, summed.line_no, summed.day, summed.booked,
            summed.l1_left - coalesce(ours.units, 0) as l1_left, summed.l3_left - coalesce(theirs.units, 0) as l3_left
        from summed
        left join (select l1_no, sum(units) as units from near group by l1_no) as ours on ours.l1_no = summed.cell_no
        left join (select l3_no, sum(units) as units from near group by l3_no) as theirs on theirs.l3_no = summed.cell_no
    ) as pass
    window line as (partition by pass.line_no order by pass.day, pass.cell_no)
)
select 'T3', near.l1_no, near.l3_no, near.units, near.booked
from near
union all
select
    'T3', ours.cell_no, theirs.cell_no,
    least(ours.l1_upto, theirs.l3_upto) - greatest(ours.l1_upto - ours.l1_left, theirs.l3_upto - theirs.l3_left),
    theirs.booked
from rest as ours
inner join rest as theirs on theirs.line_no = ours.line_no
where ours.l1_left > 0
    and theirs.l3_left > 0
    and ours.l1_upto > theirs.l3_upto - theirs.l3_left
    and theirs.l3_upto > ours.l1_upto - ours.l1_left
    and abs(theirs.day - ours.day) <= 60;
