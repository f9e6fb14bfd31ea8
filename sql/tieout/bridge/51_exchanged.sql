-- purpose: bridge line 51: each row of the payment at the rate that is printed.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'bank', 51,
    'Owed at the printed rates',
    line.count, line.amount, line.currency, 'payments', 'export payments'
from tie_run
cross join (
    select bank_currency as currency, null::bigint as count,
        sum(round(total_owed * coalesce(rate_printed, derived_rate(proceeds, total_owed), 1),
            case currency_unit(bank_currency) when 1000 then 0 when 1 then 3 else 2 end)) as amount
    from tie_payment
    where coalesce(is_paid, false) and bank_currency is not null
    group by bank_currency
) as line;
