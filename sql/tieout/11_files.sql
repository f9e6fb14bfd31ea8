-- purpose: the effective files: FINANCE_DETAIL, or FINANCIAL for vendors without it; a consolidated FINANCIAL file replaces
--          the regions'. In a period whose source has no days, the days of all its files are ignored.
-- parameters: as_of (timestamptz)
-- grain:   tie_file one row per file
create temp table tie_file on commit drop as
with file as materialized (select * from finance_files_at(:'as_of'::timestamptz) as known where known.is_current)
select file.file_sha256, file.fiscal_period, tie_period.period_no, tie_period.source, tie_period.starts_on
from file
inner join tie_period on tie_period.fiscal_period = file.fiscal_period
cross join tie_run
where tie_period.period_no between tie_run.period_no - 5 and tie_run.period_no + tie_run.horizon + 2
    and (
        file.report = 'FINANCE_DETAIL'
        or file.report = 'FINANCIAL'
        and not exists (
            select 1
            from file as better
            where (better.report = 'FINANCE_DETAIL' or better.report = 'FINANCIAL' and better.region = 'ZZ' and file.region <> 'ZZ')
                and better.fiscal_period = file.fiscal_period
                and could_be_same_vendor(better.vendor, file.vendor)
        )
    );
