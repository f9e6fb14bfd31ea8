-- purpose: Returns the period of which a finance file is a version, besides its report, region and vendor: its fiscal period
--          or its days. A bank statement is a version of nothing.
create or replace function payrecon.finance_slot(
    report text, fiscal_period text, period_from date, period_to date, file_sha256 text
) returns text
language sql stable parallel safe
return case
    when report in ('FINANCIAL', 'FINANCE_DETAIL', 'PAYMENTS') then fiscal_period
    when report = 'BANK' then file_sha256
    else concat_ws('..', period_from, period_to)
end;
