-- purpose: the credit for each row of the payment. Rows of a region that several vendors share are merged in one currency. A
--          merged row has all credits of the currency, compared with the total paid for them and for payments without a credit.
-- grain:   tie_bank one row per region and currency with a credit
create temp table tie_bank on commit drop as
with part as materialized (
    select distinct paid_row.region, paid_row.currency, paid_row.file_sha256, paid_row.bank_currency
    from tie_paid as paid_row
    where paid_row.is_in_bank
),
row_credit as materialized (
    select part.region, part.currency, tie_credit.*
    from part
    inner join tie_credit
        on tie_credit.file_sha256 = part.file_sha256
        and tie_credit.bank_currency = part.bank_currency
        and (
            tie_credit.own_region is null
            or tie_credit.payer_count > 1
            or tie_credit.own_region = part.region and tie_credit.own_currency = part.currency
        )
),
currency_total as (
    select
        bank_currency, max(paid_on) as paid_on, sum(amount) as amount, sum(due) filter (where bank_line_id is not null) as due,
        string_agg(left(bank_line_id, 8), ' ' order by bank_line_id) as bank_line_id,
        string_agg(distinct nullif(reference, ''), '; ' order by nullif(reference, '')) as reference
    from tie_credit
    group by bank_currency
)
select
    region, currency, paid_on, left(bank_line_id, 8) as bank_line_id, reference, amount as bank_amount, due as bank_expected
from row_credit
where row_credit.payer_count = 1
    and row_credit.bank_line_id is not null
union all
select distinct
    row_credit.region, row_credit.currency, currency_total.paid_on, currency_total.bank_line_id,
    coalesce(currency_total.reference, ''), currency_total.amount,
    currency_total.due + sum(case when row_credit.bank_line_id is null then row_credit.due else 0 end)
        over (partition by row_credit.region, row_credit.currency)
from row_credit
inner join currency_total on currency_total.bank_currency = row_credit.bank_currency
where row_credit.payer_count > 1
    and exists (
        select 1
        from row_credit as other_row
        where other_row.region = row_credit.region
            and other_row.currency = row_credit.currency
            and other_row.bank_line_id is not null
    );
