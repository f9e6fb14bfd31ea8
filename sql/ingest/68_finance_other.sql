-- purpose: the report that a download is, if it is not the requested one: of another kind, of another fiscal period, or of
--          other days. A file without days counts as requested.
-- parameters: lines_sha256, vendor, report, period (text): a fiscal period, or a day
-- grain:   one row if it is another report
select
    concat_ws(
        ' ', finance_files.report,
        case when asked.fiscal_period is null then to_char(finance_files.period_from, 'YYYY-MM-DD') else finance_files.fiscal_period end
    ) as found
from finance_files
left join fiscal_periods as asked on asked.fiscal_period = :'period'::text
where finance_files.lines_sha256 = :'lines_sha256'::text
    and :'vendor'::text in ('', finance_files.vendor)
    and (
        finance_files.report <> :'report'::text
        or case
            when asked.fiscal_period is null
                then :'period'::text not between to_char(finance_files.period_from, 'YYYY-MM-DD')
                and to_char(finance_files.period_to, 'YYYY-MM-DD')
            else finance_files.period_from is not null and finance_files.fiscal_period <> asked.fiscal_period
        end
    )
limit 1;
