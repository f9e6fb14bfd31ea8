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
    where paid_row.is_in_bank
    group by paid_row.file_sha256, paid_row.region, paid_row.currency, paid_row.bank_currency
),
payer as materialized (
    select
        file_total.*, concat_ws(' ', nullif(finance_files.vendor, ''), nullif(finance_files.account, '')) as label,
        -- Apple masks the account number except its end.
        nullif(right(regexp_replace(upper(finance_files.account), '[^0-9A-Z]', '', 'g'), 4), '') as tail,
        count(*) over (partition by file_total.bank_currency) as payer_count,
        row_number() over (
            partition by file_total.bank_currency, file_total.due order by finance_files.account, file_total.file_sha256
        ) as rank
    from (
        select file_sha256, bank_currency, sum(proceeds) as due from printed group by file_sha256, bank_currency
    ) as file_total
    inner join finance_files on finance_files.file_sha256 = file_total.file_sha256
),
other_payment as (
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
                select 1
                from other_payment
                where other_payment.bank_currency = bank_lines.currency
                    and other_payment.due = bank_lines.amount
            ) as is_elsewhere
    ) as paid
    where bank_lines.bank_date > tie_run.ends_on + 14
        and bank_lines.bank_date <= tie_run.ends_on + 75
        -- If another period paid the same amount, the weeks decide.
        and (paid.is_in_time or not paid.is_elsewhere)
),
-- Each payer beside the credits in its currency.
payer_credit as materialized (
    select
        payer.file_sha256, payer.bank_currency, payer.rank as payer_rank, payer.payer_count, credit.bank_line_id, credit.bank_date,
        credit.rank as credit_rank, credit.is_expected, abs(credit.amount - payer.due) as distance,
        (credit.tail = payer.tail) is true as is_account,
        (credit.tail <> payer.tail) is true as is_other_account
    from payer
    inner join credit on credit.currency = payer.bank_currency
),
total_credit as materialized (
    select distinct on (best.bank_line_id) best.*
    from (
        select distinct on (file_sha256, bank_currency) payer_credit.*
        from payer_credit
        where distance = 0
            and (credit_rank = payer_rank or is_account)
        order by file_sha256, bank_currency, is_account desc, credit_rank
    ) as best
    order by best.bank_line_id, best.is_account desc, best.file_sha256
),
equal_credit as materialized (
    select file_sha256, bank_currency, bank_line_id, null::text as own_region, null::text as own_currency, null::numeric as due
    from total_credit
    union all
    select paired.file_sha256, paired.bank_currency, credit.bank_line_id, paired.region, paired.currency, paired.proceeds
    from (
        select printed.*, row_number() over (
            partition by printed.bank_currency, printed.proceeds order by printed.file_sha256, printed.region, printed.currency
        ) as rank
        from printed
        where (printed.file_sha256, printed.bank_currency) not in (select file_sha256, bank_currency from total_credit)
    ) as paired
    inner join (
        select credit.*, row_number() over (partition by credit.currency, credit.amount order by credit.rank) as free_rank
        from credit
        where credit.bank_line_id not in (select bank_line_id from total_credit)
    ) as credit
        on credit.currency = paired.bank_currency
        and credit.amount = paired.proceeds
        and credit.free_rank = paired.rank
),
nearest_credit as (
    select distinct on (near.bank_line_id) near.*
    from (
        select distinct on (file_sha256, bank_currency) payer_credit.*
        from payer_credit
        where is_expected
            and (payer_count = 1 or not is_other_account)
            and bank_line_id not in (select equal_credit.bank_line_id from equal_credit)
            and (file_sha256, bank_currency) not in (select equal_credit.file_sha256, equal_credit.bank_currency from equal_credit)
        order by file_sha256, bank_currency, is_account desc, distance, bank_date, bank_line_id
    ) as near
    order by near.bank_line_id, near.distance, near.file_sha256
)
select
    payer.file_sha256, payer.label, payer.bank_currency, payer.payer_count, paid.own_region, paid.own_currency,
    coalesce(paid.due, payer.due) as due, credit.bank_date as paid_on, credit.bank_line_id, credit.reference, credit.amount
from payer
left join (
    select equal_credit.*
    from equal_credit
    union all
    select file_sha256, bank_currency, bank_line_id, null, null, null
    from nearest_credit
) as paid using (file_sha256, bank_currency)
left join credit on credit.bank_line_id = paid.bank_line_id;
