-- purpose: T14: the same sale on the day after ours, because a day does not begin where the storefront's usually does. Only units
--          within six hours of that end of our day.
-- parameters: none
-- grain:   one pair per cell of ours and cell of Apple's on the day after ours, settled when it should
insert into tie_pair (cause, l1_no, l3_no, units, detail)
select 'T14', ours.cell_no, theirs.cell_no, least(ours.l1_left, ours.late_units, theirs.l3_left), 'Apple books it on the day after ours'
from tie_rest as ours
inner join tie_rest as theirs
    on theirs.line_no = ours.line_no
    and theirs.day = ours.day + 1
inner join tie_period
    on tie_period.fiscal_period = theirs.fiscal_period
    and theirs.day between tie_period.starts_on and tie_period.ends_on
where ours.l1_left > 0
    and theirs.l3_left > 0
    and least(ours.l1_left, ours.late_units, theirs.l3_left) > 0;
