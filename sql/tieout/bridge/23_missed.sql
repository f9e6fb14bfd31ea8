-- purpose: bridge line 23: sales that only Apple shows.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 23,
    '+ sales that no evidence shows',
    line.count, line.amount, line.currency, 'T13', 'breaks L3_NO_L1'
from tie_run
cross join (
    select tie_result.currency, sum(tie_part.units * tie_result.sign)::bigint as count,
        sum(tie_part.units * tie_result.sign * tie_result.price) as amount
    from tie_part
    inner join tie_result on tie_result.cell_no = tie_part.cell_no
    where tie_part.cause = 'T13'
    group by tie_result.currency
) as line;
