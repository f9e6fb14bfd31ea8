-- purpose: bridge line 26: Apple's side of the cells, asked for by itself.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 26,
    '= Apple''s customer value',
    line.count, line.amount, line.currency, 'report lines', 'export cells, l3_gross'
from tie_run
cross join (
    select currency, sum((l3_units) * sign)::bigint as count, sum((l3_units) * sign * price) as amount
    from tie_result
    where l3_units > 0
    group by currency
) as line;
