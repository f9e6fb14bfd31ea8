-- purpose: hashes of the manifests that a run wrote, or that a close of a period signed.
-- parameters: run_id (text)
-- grain:   one row per manifest, latest first
select known.manifest_sha256, known.directory
from (
    select report_manifests.manifest_sha256, report_manifests.directory, report_manifests.report_id as place
    from report_manifests
    where report_manifests.run_id = :'run_id'::text
    union all
    select period_reports.manifest_sha256, '', 0
    from period_reports
    where period_reports.run_id = :'run_id'::text
) as known
order by known.place desc, known.manifest_sha256;
