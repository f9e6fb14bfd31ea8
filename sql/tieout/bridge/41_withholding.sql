-- purpose: bridge line 41: tax withheld, with the sign that lets the row add up.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'proceeds', 41,
    '− withholding tax',
    line.count, line.amount, line.currency, 'payments', 'export payments'
from tie_run
cross join (
    select currency, null::bigint as count, sum(withheld_of(
            brought_forward, earned_payment, input_tax, adjustments, withholding_tax, total_owed
        )) as amount
    from tie_payment
    where region_name is not null
    group by currency
) as line;
