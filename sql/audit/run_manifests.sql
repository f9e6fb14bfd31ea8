-- purpose: manifest hashes that the audit chain records for a run, or for a report written outside any run.
-- parameters: run_id (text)
-- grain:   one row per entry of a run's end, of a report or of a proposed close; null if that attempt wrote no report
select audit_log.details::json ->> 'manifests' as manifests
from audit_log
where (audit_log.act = 'run_ended' and left(audit_log.subject, length(:'run_id'::text) + 1) = :'run_id'::text || '/')
    or (audit_log.act = 'report_written' and audit_log.subject = :'run_id'::text)
    or (audit_log.act = 'period_close_proposed' and strpos(audit_log.details, '"' || :'run_id'::text || ' ') > 0)
order by audit_log.number;
