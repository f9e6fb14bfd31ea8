-- purpose: bridge line 17: sales of earlier periods that settled in this one.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 17,
    '+ settled from earlier periods',
    line.count, line.amount, line.currency, 'T1', 'export cells, explained_T1'
from tie_run
cross join (
    select tie_result.currency, sum(tie_part.units * tie_result.sign)::bigint as count,
        sum(tie_part.units * tie_result.sign * tie_result.price) as amount
    from tie_part
    inner join tie_result on tie_result.cell_no = tie_part.cell_no
    where tie_part.cause = 'T1' and tie_part.units > 0
    group by tie_result.currency
) as line;
