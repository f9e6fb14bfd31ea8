-- purpose: bridge line 31: what customers paid in the currency of the proceeds.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'proceeds', 31,
    'Customer value in this currency',
    line.count, line.amount, line.currency, 'report lines', 'export cells, l3_gross'
from tie_run
cross join (
    select currency, sum((l3_units) * sign)::bigint as count, sum((l3_units) * sign * price) as amount
    from tie_result
    where l3_units > 0 and share_currency = currency
    group by currency
) as line;
