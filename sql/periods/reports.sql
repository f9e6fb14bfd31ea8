-- purpose: the reports of a close, with the fields of their headers.
-- parameters: act_id (text)
-- grain:   one row per report; reasons is a JSON object
select report.report, report.manifest_sha256, report.run_id, report.file_count, report.verdict,
    report.verdict_reasons::text as reasons
from period_reports as report
where report.act_id = :'act_id'::text
order by report.report collate "C";
