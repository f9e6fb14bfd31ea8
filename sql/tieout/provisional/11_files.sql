-- purpose: the effective files: of each day those of its source that cover only that day, since a weekly file does not state
--          the day of a sale.
-- parameters: as_of (timestamptz)
-- grain:   tie_file one row per file and day
create temp table tie_file on commit drop as
select distinct on (tie_period.fiscal_period, file.vendor)
    file.file_sha256, tie_period.fiscal_period, tie_period.period_no, tie_period.source, tie_period.starts_on
from tie_period
inner join finance_files_at(:'as_of'::timestamptz) as file
    on file.is_current
    and file.report = tie_period.source
    and file.period_from = tie_period.starts_on
    and file.period_to = tie_period.starts_on
order by tie_period.fiscal_period, file.vendor, file.known_at desc, file.file_sha256 desc;
