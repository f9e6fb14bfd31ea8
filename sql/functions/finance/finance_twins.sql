-- purpose: Returns finance files with another version of the same report read at the same clock. Their hashes decide which
--          one is effective, and an operator should know.
-- grain:   one row per file and other version
create or replace function payrecon.finance_twins() returns table (file_sha256 text, known_at timestamptz, warning text)
language sql stable parallel safe
as $$
    select
        one.file_sha256, known_at,
        '"' || one.file_name || '" and "' || other.file_name || '" are versions of one report, read at one clock: "'
        || case when one.file_sha256 > other.file_sha256 then one.file_name else other.file_name end
        || '" goes before the other, by its greater SHA-256, ' || left(greatest(one.file_sha256, other.file_sha256), 8)
    from payrecon.dated_finance_files() as one
    inner join payrecon.dated_finance_files() as other using (report, region, is_estimate, known_at)
    where one.file_sha256 <> other.file_sha256
        and (one.named_at > one.known_at) is not false
        and (other.named_at > other.known_at) is not false
        and payrecon.finance_slot(one.report, one.fiscal_period, one.period_from, one.period_to, one.file_sha256)
            = payrecon.finance_slot(other.report, other.fiscal_period, other.period_from, other.period_to, other.file_sha256)
        and payrecon.could_be_same_vendor(one.vendor, other.vendor)
        and payrecon.could_be_same_vendor(one.account, other.account)
$$;
