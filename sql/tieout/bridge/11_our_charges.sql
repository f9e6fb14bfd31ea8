-- purpose: bridge line 11: what our side of the cells sold.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 11,
    '= our charges of the period',
    line.count, line.amount, line.currency, 'charges', 'export cells, l1_gross'
from tie_run
cross join (
    select currency, sum((l1_units) * sign)::bigint as count, sum((l1_units) * sign * price) as amount
    from tie_result
    where sign = 1 and l1_units > 0
    group by currency
) as line;
