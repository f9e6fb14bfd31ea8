-- purpose: bridge line 55: what the bank has.
-- parameters: none
-- grain:   one row per currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    tie_run.fiscal_period, tie_run.as_of, 'bank', 55,
    '= bank',
    line.count, line.amount, line.currency, 'bank', 'export payments'
from tie_run
cross join (
    select tie_payment.bank_currency as currency, count(distinct tie_bank.bank_line_id) as count,
        coalesce((
            select sum(credit.bank_amount)
            from (
                select distinct tie_bank.bank_line_id, tie_bank.bank_amount
                from tie_bank
                inner join tie_payment as paid on paid.region = tie_bank.region and paid.currency = tie_bank.currency
                where paid.bank_currency = tie_payment.bank_currency
            ) as credit
        ), 0) as amount
    from tie_payment
    left join tie_bank on tie_bank.region = tie_payment.region and tie_bank.currency = tie_payment.currency
    where coalesce(tie_payment.is_paid, false) and tie_payment.bank_currency is not null
    group by tie_payment.bank_currency
) as line;
