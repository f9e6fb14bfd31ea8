-- purpose: bridge line 44: what was paid out, asked for by itself.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'proceeds', 44,
    '= owed and paid out',
    line.count, line.amount, line.currency, 'payments', 'export payments'
from tie_run
cross join (
    select currency, null::bigint as count, sum(coalesce(total_owed, 0)) as amount
    from tie_payment
    where region_name is not null and coalesce(is_paid, false)
    group by currency
) as line;
