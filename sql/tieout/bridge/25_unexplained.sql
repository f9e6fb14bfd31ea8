-- purpose: bridge line 25: what nothing explains.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 25,
    '± UNEXPLAINED',
    line.count, line.amount, line.currency, 'cells', 'breaks CELL_DIFF'
from tie_run
cross join (
    select currency, sum((unexplained_units) * sign)::bigint as count, sum((unexplained_units) * sign * price) as amount
    from tie_result
    where unexplained_units <> 0
    group by currency
) as line;
