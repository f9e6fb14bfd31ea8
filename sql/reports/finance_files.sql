-- purpose: every version of the finance files known at a clock: whether it is effective, when it was read, its period,
--          deviations from its trailer, and warnings.
-- parameters: as_of (timestamptz)
-- grain:   one row per file
select
    file.report, file.fiscal_period, nullif(file.region, '') as region, nullif(file.vendor, '') as vendor, file.file_name,
    file.bytes_sha256 as file_sha256, rfc3339(file.known_at) as read_at, file.period_from::text as period_from,
    file.period_to::text as period_to,
    file.row_count, file.is_current::text as is_current, nullif(array_to_string(file.totals, '; '), '') as totals,
    nullif(array_to_string(file.warnings || twin.warnings, '; '), '') as warnings
from finance_files_at(:'as_of'::timestamptz) as file
left join (
    select twin_file.file_sha256, array_agg(twin_file.warning order by twin_file.warning) as warnings
    from finance_twins() as twin_file
    where twin_file.known_at <= :'as_of'::timestamptz
    group by twin_file.file_sha256
) as twin on twin.file_sha256 = file.file_sha256
order by
    file.fiscal_period collate "C" nulls last, file.report collate "C", file.region collate "C", file.known_at,
    file.file_sha256 collate "C";
