-- purpose: T2: sold, and in no report of its period nor of any of those up to the horizon, all of which were read: Apple never collected
--          it. Where FINANCIAL is read by region, its region's count.
-- parameters: none
-- grain:   one pair per cell of our sales past the horizon
insert into tie_pair (cause, l1_no, l3_no, units, detail)
select 'T2', tie_rest.cell_no, null, tie_rest.l1_left, 'in no report up to ' || tie_period.last_period
from tie_rest
inner join tie_period on tie_period.fiscal_period = tie_rest.fiscal_period
where tie_rest.l1_left > 0
    and tie_rest.sign = 1
    and tie_rest.is_closed;
