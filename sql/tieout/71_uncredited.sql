-- purpose: what each payments file paid out and no credit on our accounts has, once any statement of ours was read: a shop that gives none
--          holds nothing against its bank.
-- parameters: as_of (timestamptz)
-- grain:   tie_uncredited one row per payments file and bank currency; is_passed once the weeks in which Apple pays have passed at the
--          clock, is_over once our statements in that currency reach behind them, too: where they end before, nobody knows
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
    tie_run.ends_on + 50 as last_day, told.statement_end,
    tie_run.as_of >= apple_midnight(tie_run.ends_on + 51) as is_passed,
    tie_run.as_of >= apple_midnight(tie_run.ends_on + 51) and told.statement_end >= tie_run.ends_on + 50 as is_over
from (
    select told.file_sha256, told.bank_currency, sum(told.proceeds) as due
    from tie_paid as told
    where told.is_paid
    group by told.file_sha256, told.bank_currency
) as paid
inner join (
    select
        tie_credit.file_sha256, tie_credit.bank_currency, min(tie_credit.label) as label, min(tie_credit.payer_count) as payer_count,
        coalesce(sum(tie_credit.due) filter (where tie_credit.bank_line_id is not null), 0) as due
    from tie_credit
    group by tie_credit.file_sha256, tie_credit.bank_currency
) as credited
    on credited.file_sha256 = paid.file_sha256
    and credited.bank_currency = paid.bank_currency
cross join tie_run
-- Of the currency; where no statement is in it, of any.
cross join lateral (
    select coalesce(max(stated.ends_on) filter (where stated.currency = paid.bank_currency), max(stated.ends_on)) as statement_end
    from stated
) as told
where paid.due > credited.due
    and exists (select 1 from stated);
