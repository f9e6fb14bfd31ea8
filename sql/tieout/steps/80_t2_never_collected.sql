-- purpose: T2: sold, and in no report of its period nor of those up to the horizon: Apple never collected it.
-- parameters: none
-- grain:   one pair per cell of our sales past the horizon
insert into tie_pair (cause, l1_no, l3_no, units, detail)
select 'T2', tie_rest.cell_no, null, tie_rest.l1_left, 'in no report up to ' || newest.fiscal_period
from tie_rest
cross join tie_run
cross join lateral (
    select tie_period.fiscal_period, tie_period.place
    from tie_period
    where tie_period.source is not null
    order by tie_period.place desc
    limit 1
) as newest
where tie_rest.l1_left > 0
    and tie_rest.sign = 1
    and newest.place >= tie_rest.place + tie_run.horizon;
