-- purpose: the bank credit for the total that each payments file paid in a currency, or for each region. If no amount is
--          equal, it is a credit that names Apple in the weeks in which Apple pays the period and that belongs to no other
--          period. A credit is used once. If several vendors are paid in one currency, the account decides.
-- parameters: as_of (timestamptz)
-- grain:   tie_credit one row per payments file and bank currency, or per file, region and currency if each has a separate
--          credit
create temp table tie_credit on commit drop as
with printed as materialized (
    select paid_row.file_sha256, paid_row.region, paid_row.currency, paid_row.bank_currency, sum(paid_row.proceeds) as proceeds
    from tie_paid as paid_row
    where paid_row.is_paid
        and paid_row.proceeds is not null
        and paid_row.bank_currency is not null
    group by paid_row.file_sha256, paid_row.region, paid_row.currency, paid_row.bank_currency
),
payer as materialized (
    select
        whole.*, concat_ws(' ', nullif(finance_files.vendor, ''), nullif(finance_files.account, '')) as label,
        -- Apple masks the account number except its end.
        nullif(right(regexp_replace(upper(finance_files.account), '[^0-9A-Z]', '', 'g'), 4), '') as tail,
        count(*) over (partition by whole.bank_currency) as payer_count,
        row_number() over (partition by whole.bank_currency, whole.due order by finance_files.account, whole.file_sha256) as rank
    from (
        select file_sha256, bank_currency, sum(proceeds) as due from printed group by file_sha256, bank_currency
    ) as whole
    inner join finance_files on finance_files.file_sha256 = whole.file_sha256
),
elsewhere as (
    select payment_lines.bank_currency, sum(payment_lines.proceeds) as due
    from finance_files_at(:'as_of'::timestamptz) as file
    inner join payment_lines on payment_lines.file_sha256 = file.file_sha256
    cross join tie_run
    where file.report = 'PAYMENTS'
        and file.is_current
        and file.fiscal_period <> tie_run.fiscal_period
        and payment_lines.is_paid
    group by file.file_sha256, payment_lines.bank_currency
),
credit as materialized (
    select
        bank_lines.bank_line_id, bank_lines.bank_date, bank_lines.amount, bank_lines.currency,
        coalesce(bank_lines.reference, '') as reference,
        coalesce(bank_lines.reference, '') ~* 'apple|itunes' and paid.is_in_time and not paid.is_elsewhere as is_expected,
        nullif(right(regexp_replace(upper(bank_lines.account), '[^0-9A-Z]', '', 'g'), 4), '') as tail,
        row_number() over (
            partition by bank_lines.currency, bank_lines.amount
            order by coalesce(bank_lines.reference, '') ~* 'apple|itunes' desc, bank_lines.bank_date, bank_lines.bank_line_id
        ) as rank
    from bank_lines
    inner join finance_files_at(:'as_of'::timestamptz) as file on file.file_sha256 = bank_lines.file_sha256
    cross join tie_run
    cross join lateral (
        select
            -- The contract pays within 45 days after the period's end.
            bank_lines.bank_date <= tie_run.ends_on + 50 as is_in_time,
            exists (
                select 1 from elsewhere where elsewhere.bank_currency = bank_lines.currency and elsewhere.due = bank_lines.amount
            ) as is_elsewhere
    ) as paid
    where bank_lines.bank_date > tie_run.ends_on + 14
        and bank_lines.bank_date <= tie_run.ends_on + 75
        -- If another period paid the same amount, the weeks decide.
        and (paid.is_in_time or not paid.is_elsewhere)
),
-- Each payer beside the credits in its currency.
offer as materialized (
    select
        payer.file_sha256, payer.bank_currency, payer.rank as payer_rank, payer.payer_count, credit.bank_line_id, credit.bank_date,
        credit.rank as credit_rank, credit.is_expected, abs(credit.amount - payer.due) as distance,
        (credit.tail = payer.tail) is true as is_account,
        (credit.tail <> payer.tail) is true as is_other_account
    from payer
    inner join credit on credit.currency = payer.bank_currency
),
whole as materialized (
    select distinct on (met.bank_line_id) met.*
    from (
        select distinct on (offer.file_sha256, offer.bank_currency) offer.*
        from offer
        where offer.distance = 0
            and (offer.credit_rank = offer.payer_rank or offer.is_account)
        order by offer.file_sha256, offer.bank_currency, offer.is_account desc, offer.credit_rank
    ) as met
    order by met.bank_line_id, met.is_account desc, met.file_sha256
),
own as materialized (
    select paired.file_sha256, paired.bank_currency, paired.region, paired.currency, paired.proceeds, credit.bank_line_id
    from (
        select printed.*, row_number() over (
            partition by printed.bank_currency, printed.proceeds order by printed.file_sha256, printed.region, printed.currency
        ) as rank
        from printed
        where (printed.file_sha256, printed.bank_currency) not in (select whole.file_sha256, whole.bank_currency from whole)
    ) as paired
    inner join (
        select credit.*, row_number() over (partition by credit.currency, credit.amount order by credit.rank) as free_rank
        from credit
        where credit.bank_line_id not in (select whole.bank_line_id from whole)
    ) as credit
        on credit.currency = paired.bank_currency
        and credit.amount = paired.proceeds
        and credit.free_rank = paired.rank
),
met as materialized (
    select
        whole.file_sha256, whole.bank_currency, whole.bank_line_id, null::text as own_region, null::text as own_currency,
        null::numeric as due
    from whole
    union all
    select own.file_sha256, own.bank_currency, own.bank_line_id, own.region, own.currency, own.proceeds
    from own
),
nearest as (
    select distinct on (near.bank_line_id) near.*
    from (
        select distinct on (offer.file_sha256, offer.bank_currency) offer.*
        from offer
        where offer.is_expected
            and (offer.payer_count = 1 or not offer.is_other_account)
            and offer.bank_line_id not in (select met.bank_line_id from met)
            and (offer.file_sha256, offer.bank_currency) not in (select met.file_sha256, met.bank_currency from met)
        order by
            offer.file_sha256, offer.bank_currency, offer.is_account desc, offer.distance, offer.bank_date, offer.bank_line_id
    ) as near
    order by near.bank_line_id, near.distance, near.file_sha256
)
select
    payer.file_sha256, payer.label, payer.bank_currency, payer.payer_count, met.own_region, met.own_currency,
    coalesce(met.due, payer.due) as due, credit.bank_date as paid_on, credit.bank_line_id, credit.reference, credit.amount
from payer
left join (
    select met.*
    from met
    union all
    select nearest.file_sha256, nearest.bank_currency, nearest.bank_line_id, null, null, null
    from nearest
) as met using (file_sha256, bank_currency)
left join credit on credit.bank_line_id = met.bank_line_id;
