-- purpose: Returns finance files with the clock from which each is known, and the clock from which the same lines are known under a
--          name with a vendor number (named_at). From then on a file without vendor number is no separate file.
-- grain:   one row per file; named_at is null if no such name is known, or if the file has a vendor number itself
create or replace function payrecon.dated_finance_files() returns table (
    file_sha256 text, report text, file_name text, vendor text, region text, fiscal_period text, period_from date,
    period_to date, row_count bigint, totals text[], warnings text[], account text, bytes_sha256 text, is_estimate boolean,
    known_at timestamptz, named_at timestamptz
)
language sql stable parallel safe
as $$
    select
        finance_files.file_sha256, finance_files.report, finance_files.file_name, finance_files.vendor, finance_files.region,
        finance_files.fiscal_period, finance_files.period_from, finance_files.period_to, finance_files.row_count,
        finance_files.totals, finance_files.warnings, finance_files.account, finance_files.bytes_sha256, finance_files.is_estimate,
        batches.known_at,
        case finance_files.vendor when '' then min(batches.known_at) filter (where finance_files.vendor <> '') over (
            partition by
                finance_files.lines_sha256, finance_files.report, finance_files.region, finance_files.fiscal_period,
                finance_files.period_from, finance_files.period_to
        ) end
    from payrecon.finance_files
    inner join payrecon.batches on batches.batch_id = finance_files.batch_id
$$;
