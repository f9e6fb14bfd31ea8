-- purpose: Returns finance files known at a clock, and which version of each report is effective: the last known one, at one
--          clock the one with the greater hash. A paid month outranks an estimate of it. A name without vendor number
--          matches any vendor, and a payments file without account any account.
create or replace function payrecon.finance_files_at(clock timestamptz) returns table (
    file_sha256 text, report text, file_name text, vendor text, region text, fiscal_period text, period_from date,
    period_to date, row_count bigint, totals text[], warnings text[], known_at timestamptz, is_current boolean, bytes_sha256 text
)
language sql stable parallel safe
as $$
    with file as materialized (
        select
            dated.*,
            payrecon.finance_slot(dated.report, dated.fiscal_period, dated.period_from, dated.period_to, dated.file_sha256) as slot
        from payrecon.dated_finance_files() as dated
        where dated.known_at <= clock
            and (dated.named_at > clock) is not false
    )
    select
        file.file_sha256, file.report, file.file_name, file.vendor, file.region, file.fiscal_period, file.period_from,
        file.period_to, file.row_count, file.totals, file.warnings, file.known_at,
        not exists (
            select 1
            from file as newer
            where newer.report = file.report
                and newer.slot is not distinct from file.slot
                and newer.region = file.region
                and payrecon.could_be_same_vendor(newer.vendor, file.vendor)
                and payrecon.could_be_same_vendor(newer.account, file.account)
                and (not newer.is_estimate, newer.known_at, newer.file_sha256) > (not file.is_estimate, file.known_at, file.file_sha256)
        ),
        file.bytes_sha256
    from file
$$;
