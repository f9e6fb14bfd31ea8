-- purpose: the files whose lines count: of each period those of its source; a consolidated FINANCIAL file instead of the regions'.
-- parameters: as_of (timestamptz)
-- grain:   tie_file one row per file
create temp table tie_file on commit drop as
with file as materialized (
    select * from finance_files_at(:'as_of'::timestamptz) as known where known.is_current
)
select file.file_sha256, file.fiscal_period, tie_period.place, tie_period.source, tie_period.starts_on
from file
inner join tie_period
    on tie_period.fiscal_period = file.fiscal_period
    and tie_period.source = file.report
cross join tie_run
where tie_period.place between tie_run.place - 5 and tie_run.place + tie_run.horizon + 2
    and (
        file.report = 'FINANCE_DETAIL'
        or file.region = 'ZZ'
        or not exists (
            select 1
            from file as whole
            where whole.report = 'FINANCIAL'
                and whole.region = 'ZZ'
                and whole.fiscal_period = file.fiscal_period
                and (whole.vendor = file.vendor or whole.vendor = '' or file.vendor = '')
        )
    );
