-- purpose: what each payments file paid out and no credit on our accounts has, once any statement of ours was read: a shop that gives none
--          holds nothing against its bank.
-- parameters: as_of (timestamptz)
-- grain:   tie_uncredited one row per payments file and bank currency; is_over once the weeks in which Apple pays have passed at the clock
create temp table tie_uncredited on commit drop as
select
    paid.file_sha256, paid.bank_currency, credited.label, credited.payer_count, paid.due - credited.due as due,
    tie_run.as_of >= apple_midnight(tie_run.ends_on + 51) as is_over
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
where paid.due > credited.due
    and exists (select 1 from finance_files_at(:'as_of'::timestamptz) as known where known.report = 'BANK');
