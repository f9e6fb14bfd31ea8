-- purpose: bridge line 10: matched pairs of which one side has another price, another quantity or another day; count is of units.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'customer', 10,
    '± price and period of matched pairs',
    line.count, line.amount, line.currency, 'orders, charges', 'breaks AMOUNT_DIFF'
from tie_run
cross join (
    select
        coalesce(charged.currency, booked.currency) as currency,
        coalesce(charged.count, 0) - coalesce(unmatched.count, 0) - coalesce(booked.count, 0) as count,
        coalesce(charged.amount, 0) - coalesce(unmatched.amount, 0) - coalesce(booked.amount, 0) as amount
    from (
        select currency, sum(l1_units)::bigint as count, sum(l1_units * price) as amount
        from tie_result
        where sign = 1
        group by currency
    ) as charged
    full join (
        select currency, sum(count)::bigint as count, sum(amount) as amount
        from tie_book
        where is_in_period and kind = 'matched'
        group by currency
    ) as booked on booked.currency = charged.currency
    left join tie_sum as unmatched
        on unmatched.kind = 'unmatched'
        and unmatched.currency = coalesce(charged.currency, booked.currency)
) as line;
