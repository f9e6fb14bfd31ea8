-- purpose: bridge line 15: what may settle in a period that was not read yet.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 15,
    '− not yet settled',
    line.count, line.amount, line.currency, 'cells', 'export cells, open'
from tie_run
cross join (
    select currency, sum((open_units) * sign)::bigint as count, sum((open_units) * sign * price) as amount
    from tie_result
    where open_units <> 0
    group by currency
) as line;
