-- purpose: bridge line 40: rows without sale.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'proceeds', 40,
    '± adjustments',
    line.count, line.amount, line.currency, 'payments', 'export payments'
from tie_run
cross join (
    select currency, null::bigint as count, sum(coalesce(adjustments, 0)) as amount
    from tie_payment
    where region_name is not null
    group by currency
) as line;
