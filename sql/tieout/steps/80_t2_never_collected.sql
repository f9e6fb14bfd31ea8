-- purpose: T2: a sale missing in the report of its period and of every period up to the horizon, all of which were read, so
--          Apple never collected it. If FINANCIAL is read by region, the reports of its region count.
-- grain:   one pair per cell of our sales past the horizon
insert into tie_pair (cause, l1_no, l3_no, units, detail)
select 'T2', tie_rest.cell_no, null, tie_rest.l1_left, phrase('detail.never_collected', 'period', tie_period.last_period)
from tie_rest
inner join tie_period on tie_period.fiscal_period = tie_rest.fiscal_period
where tie_rest.l1_left > 0
    and tie_rest.sign = 1
    and tie_rest.is_settled;
