-- purpose: bridge line 24: charges that two people called duplicates; and free lines, which count and bring nothing.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 24,
    '− benign duplicates',
    line.count, line.amount, line.currency, 'T12', 'queue'
from tie_run
cross join (
    select tie_result.currency, sum(tie_part.units * tie_result.sign)::bigint as count,
        sum(tie_part.units * tie_result.sign * tie_result.price) as amount
    from tie_part
    inner join tie_result on tie_result.cell_no = tie_part.cell_no
    where tie_part.cause in ('T12', 'T16')
    group by tie_result.currency
) as line;
