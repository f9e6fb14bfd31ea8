-- purpose: bridge line 13: refunds of the period whose sale lies before it.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 13,
    '− refunds of earlier sales',
    line.count, line.amount, line.currency, 'charges', 'report refunds'
from tie_run
cross join (
    select
        given.currency, given.count + coalesce(same.count, 0) as count, given.amount + coalesce(same.amount, 0) as amount
    from (
        select currency, -sum(l1_units)::bigint as count, -sum(l1_units * price) as amount
        from tie_result
        where sign = -1
        group by currency
    ) as given
    left join tie_sum as same on same.kind = 'refunded' and same.currency = given.currency
) as line;
