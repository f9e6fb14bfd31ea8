-- purpose: payouts without a bank credit, if any bank statement was read; a company without statements is not checked.
-- parameters: as_of (timestamptz)
-- grain:   tie_uncredited one row per payments file and bank currency; is_passed once the weeks in which Apple pays have
--          passed at the clock, is_over once our statements in that currency also extend beyond them
create temp table tie_uncredited on commit drop as
with stated as materialized (
    select bank_lines.currency, max(bank_lines.bank_date) as ends_on
    from finance_files_at(:'as_of'::timestamptz) as file
    inner join bank_lines on bank_lines.file_sha256 = file.file_sha256
    where file.report = 'BANK'
    group by bank_lines.currency
)
select
    paid.file_sha256, paid.bank_currency, credited.label, credited.payer_count, paid.due - credited.due as due,
    tie_run.ends_on + 50 as last_day, paid_row.statement_end,
    tie_run.as_of >= apple_midnight(tie_run.ends_on + 51) as is_passed,
    tie_run.as_of >= apple_midnight(tie_run.ends_on + 51) and paid_row.statement_end >= tie_run.ends_on + 50 as is_over
from (
    select paid_row.file_sha256, paid_row.bank_currency, sum(paid_row.proceeds) as due
    from tie_paid as paid_row
    where paid_row.is_paid
    group by paid_row.file_sha256, paid_row.bank_currency
) as paid
inner join (
    select
        tie_credit.file_sha256, tie_credit.bank_currency, min(tie_credit.label) as label, min(tie_credit.payer_count) as payer_count,
        coalesce(sum(tie_credit.due) filter (where tie_credit.bank_line_id is not null), 0) as due
    from tie_credit
    group by tie_credit.file_sha256, tie_credit.bank_currency
) as credited using (file_sha256, bank_currency)
cross join tie_run
-- Statements in the currency; if there are none, in any.
cross join lateral (
    select coalesce(max(stated.ends_on) filter (where stated.currency = paid.bank_currency), max(stated.ends_on)) as statement_end
    from stated
) as paid_row
where paid.due > credited.due
    and exists (select 1 from stated);
