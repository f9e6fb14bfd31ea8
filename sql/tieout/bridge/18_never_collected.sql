-- purpose: bridge line 18: what Apple never collected.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 18,
    '− never collected',
    line.count, line.amount, line.currency, 'T2', 'breaks NEVER_COLLECTED'
from tie_run
cross join (
    select tie_result.currency, sum(tie_part.units * tie_result.sign)::bigint as count,
        sum(tie_part.units * tie_result.sign * tie_result.price) as amount
    from tie_part
    inner join tie_result on tie_result.cell_no = tie_part.cell_no
    where tie_part.cause = 'T2'
    group by tie_result.currency
) as line;
