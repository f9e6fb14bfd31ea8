-- purpose: T1: settled in a later fiscal period, and on the day after ours besides.
-- parameters: none
-- grain:   one pair per cell of ours and cell of Apple's of the day after ours, earlier periods first
insert into tie_pair (cause, l1_no, l3_no, units, detail)
with ours as (
    select cell_no, line_no, day, place, least(l1_left, late_units) as l1_left from tie_rest where least(l1_left, late_units) > 0
),
theirs as (
    select
        tie_rest.cell_no, tie_rest.line_no, tie_rest.day, tie_rest.place, tie_rest.fiscal_period, tie_rest.l3_left,
        sum(tie_rest.l3_left) over (partition by tie_rest.line_no, tie_rest.day order by tie_rest.place) as upto
    from tie_rest
    inner join tie_period on tie_period.fiscal_period = tie_rest.fiscal_period
    where tie_rest.l3_left > 0
        and tie_rest.day < tie_period.starts_on
)
select
    'T1', ours.cell_no, theirs.cell_no,
    least(ours.l1_left, theirs.upto) - (theirs.upto - theirs.l3_left),
    'settled in ' || theirs.fiscal_period || ', on the day after ours'
from ours
inner join theirs
    on theirs.line_no = ours.line_no
    and theirs.day = ours.day + 1
    and theirs.place > ours.place
where theirs.upto - theirs.l3_left < ours.l1_left;
