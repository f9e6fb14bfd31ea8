-- purpose: bridge line 53: what Apple says it paid.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'bank', 53,
    '= proceeds',
    line.count, line.amount, line.currency, 'payments', 'export payments'
from tie_run
cross join (
    select bank_currency as currency, null::bigint as count, sum(proceeds) as amount
    from tie_payment
    where coalesce(is_paid, false) and bank_currency is not null
    group by bank_currency
) as line;
