-- purpose: bridge line 38: balances of earlier periods.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'proceeds', 38,
    '+ brought forward',
    line.count, line.amount, line.currency, 'payments', 'export payments'
from tie_run
cross join (
    select currency, null::bigint as count, sum(coalesce(brought_forward, 0)) as amount
    from tie_payment
    where region_name is not null
    group by currency
) as line;
