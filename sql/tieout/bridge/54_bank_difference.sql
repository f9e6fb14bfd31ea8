-- purpose: bridge line 54: what came otherwise than Apple says.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'bank', 54,
    '± bank differs, or not there yet',
    line.count, line.amount, line.currency, 'bank', 'breaks PAYMENT_DIFF'
from tie_run
cross join (
    select paid.bank_currency as currency, null::bigint as count, coalesce(banked.amount, 0) - paid.amount as amount
    from (
        select bank_currency, sum(proceeds) as amount
        from tie_payment
        where coalesce(is_paid, false) and bank_currency is not null
        group by bank_currency
    ) as paid
    left join (
        select bank_currency, sum(bank_amount) as amount
        from (
            select distinct tie_payment.bank_currency, tie_bank.bank_line_id, tie_bank.bank_amount
            from tie_bank
            inner join tie_payment on tie_payment.region = tie_bank.region and tie_payment.currency = tie_bank.currency
        ) as credit
        group by bank_currency
    ) as banked on banked.bank_currency = paid.bank_currency
) as line;
