-- purpose: bridge line 34: sales whose customers paid in another currency than Apple pays us.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'proceeds', 34,
    '+ proceeds of sales in other currencies',
    line.count, line.amount, line.currency, 'report lines', 'export cells, l3_extended_share'
from tie_run
cross join (
    select share_currency as currency, sum(l3_units * sign)::bigint as count, sum(extended) as amount
    from tie_result
    where l3_units > 0 and share_currency <> currency
    group by share_currency
) as line;
