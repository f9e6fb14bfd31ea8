-- purpose: T3: the same refund on another day, at most sixty days apart: Apple books it when it is settled, or on the day of
--          the sale.
-- parameters: none
-- grain:   one pair per cell of ours and cell of Apple's, first come first paired by day
insert into tie_pair (cause, l1_no, l3_no, units, detail)
with ours as (
    select
        cell_no, line_no, day, l1_left,
        sum(l1_left) over (partition by line_no order by day, cell_no) as upto
    from tie_rest
    inner join tie_period on tie_period.fiscal_period = tie_rest.fiscal_period
    where l1_left > 0
        -- What no report was read of yet may still come in its own.
        and tie_period.source is not null
        and sign = -1 and not is_partial
),
theirs as (
    select
        cell_no, line_no, day, l3_left,
        sum(l3_left) over (partition by line_no order by day, cell_no) as upto
    from tie_rest
    where l3_left > 0
        and sign = -1
)
select
    'T3', ours.cell_no, theirs.cell_no,
    least(ours.upto, theirs.upto) - greatest(ours.upto - ours.l1_left, theirs.upto - theirs.l3_left),
    'Apple books the refund on ' || theirs.day
from ours
inner join theirs
    on theirs.line_no = ours.line_no
where ours.upto > theirs.upto - theirs.l3_left
    and theirs.upto > ours.upto - ours.l1_left
    and abs(theirs.day - ours.day) <= 60;
