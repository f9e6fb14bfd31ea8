-- purpose: the credit for each row of the payment. Rows of a region that several vendors share are merged in one currency. A
--          merged row has all credits of the currency, compared with the total paid for them and for payments without a
--          credit.
-- grain:   tie_bank one row per region and currency with a credit
create temp table tie_bank on commit drop as
with part as materialized (
    select distinct paid_row.region, paid_row.currency, paid_row.file_sha256, paid_row.bank_currency
    from tie_paid as paid_row
    where paid_row.is_paid
        and paid_row.proceeds is not null
        and paid_row.bank_currency is not null
),
met as materialized (
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
together as (
    select
        bank_currency, max(paid_on) as paid_on, sum(amount) as amount, sum(due) filter (where bank_line_id is not null) as due,
        string_agg(left(bank_line_id, 8), ' ' order by bank_line_id) as bank_line_id,
        string_agg(distinct nullif(reference, ''), '; ' order by nullif(reference, '')) as reference
    from tie_credit
    group by bank_currency
)
select met.region, met.currency, met.paid_on, left(met.bank_line_id, 8) as bank_line_id, met.reference, met.amount as bank_amount,
    met.due as bank_expected
from met
where met.payer_count = 1
    and met.bank_line_id is not null
union all
select distinct
    met.region, met.currency, together.paid_on, together.bank_line_id, coalesce(together.reference, ''), together.amount,
    together.due + sum(case when met.bank_line_id is null then met.due else 0 end) over (partition by met.region, met.currency)
from met
inner join together on together.bank_currency = met.bank_currency
where met.payer_count > 1
    and exists (
        select 1
        from met as beside
        where beside.region = met.region
            and beside.currency = met.currency
            and beside.bank_line_id is not null
    );
