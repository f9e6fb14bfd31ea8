-- purpose: bridge line 43: what a total says and its parts do not.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'proceeds', 43,
    '± owed otherwise than its parts',
    line.count, line.amount, line.currency, 'payments', 'breaks PAYMENT_DIFF'
from tie_run
cross join (
    select currency, null::bigint as count, sum(coalesce(total_owed, 0) - coalesce(brought_forward, 0) - coalesce(earned_payment, 0)
            - coalesce(input_tax, 0)
            - coalesce(adjustments, 0) - withheld_of(
                brought_forward, earned_payment, input_tax, adjustments, withholding_tax, total_owed
            )) as amount
    from tie_payment
    where region_name is not null
    group by currency
) as line;
