-- purpose: bridge line 37: what the payment calls earned and the report does not.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'proceeds', 37,
    '± earned otherwise in the payment',
    line.count, line.amount, line.currency, 'payments', 'breaks PAYMENT_DIFF'
from tie_run
cross join (
    select currency, null::bigint as count, sum(coalesce(earned_payment, 0) - coalesce(earned_detail, earned_financial, 0)) as amount
    from tie_payment
    where exists (select 1 from tie_payment as told where told.region_name is not null)
    group by currency
) as line;
