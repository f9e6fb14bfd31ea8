-- purpose: bridge line 21: refunds that Apple books otherwise.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 21,
    '± refunds on other days, parts of prices, upgrades',
    line.count, line.amount, line.currency, 'T3, T5, T17', 'export cells'
from tie_run
cross join (
    select tie_result.currency, sum(tie_part.units * tie_result.sign)::bigint as count,
        sum(tie_part.units * tie_result.sign * tie_result.price) as amount
    from tie_part
    inner join tie_result on tie_result.cell_no = tie_part.cell_no
    where tie_part.cause in ('T3', 'T5', 'T17')
    group by tie_result.currency
) as line;
