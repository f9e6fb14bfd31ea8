-- purpose: the credit on our account for each currency that was paid out: the whole of it, or each region's own; where no
--          amount is the same, the one credit of that currency in the weeks in which Apple pays. A credit serves once.
-- parameters: as_of (timestamptz)
-- grain:   tie_bank one row per region and currency that was paid
create temp table tie_bank on commit drop as
with credit as (
    select bank_lines.*
    from bank_lines
    inner join finance_files_at(:'as_of'::timestamptz) as file on file.file_sha256 = bank_lines.file_sha256
    cross join tie_run
    where bank_lines.bank_date > tie_run.ends_on + 14
        and bank_lines.bank_date <= tie_run.ends_on + 75
),
due as (
    select
        region, currency, bank_currency, proceeds,
        sum(proceeds) over (partition by bank_currency) as total
    from tie_payment
    where is_paid
        and proceeds is not null
),
whole as (
    select distinct on (due.bank_currency) due.bank_currency, credit.*
    from (select distinct bank_currency, total from due) as due
    inner join credit on credit.currency = due.bank_currency and credit.amount = due.total
    order by due.bank_currency, credit.bank_date, credit.bank_line_id
),
own as (
    select paired.region, paired.currency as paid_currency, credit.*
    from (
        select due.*, row_number() over (partition by bank_currency, proceeds order by region, currency) as place from due
    ) as paired
    inner join (
        select credit.*, row_number() over (partition by currency, amount order by bank_date, bank_line_id) as place from credit
    ) as credit
        on credit.currency = paired.bank_currency
        and credit.amount = paired.proceeds
        and credit.place = paired.place
    where not exists (select 1 from whole where whole.bank_currency = paired.bank_currency)
),
nearest as (
    select distinct on (due.bank_currency) due.bank_currency, credit.*
    from (select distinct bank_currency, total from due) as due
    inner join credit on credit.currency = due.bank_currency
    where not exists (select 1 from whole where whole.bank_currency = due.bank_currency)
        and not exists (select 1 from own where own.currency = due.bank_currency)
    order by
        due.bank_currency, (coalesce(credit.reference, '') ~* 'apple|itunes') desc, abs(credit.amount - due.total), credit.bank_date,
        credit.bank_line_id
)
select
    due.region, due.currency,
    coalesce(whole.bank_date, own.bank_date, nearest.bank_date) as paid_on,
    coalesce(whole.bank_line_id, own.bank_line_id, nearest.bank_line_id) as bank_line_id,
    coalesce(whole.reference, own.reference, nearest.reference, '') as reference,
    coalesce(whole.amount, own.amount, nearest.amount) as bank_amount,
    case when own.amount is not null then due.proceeds else due.total end as bank_expected
from due
left join whole on whole.bank_currency = due.bank_currency
left join own on own.region = due.region and own.paid_currency = due.currency
left join nearest on nearest.bank_currency = due.bank_currency;
