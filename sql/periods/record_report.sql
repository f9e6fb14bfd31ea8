-- purpose: records a report of a close that is about to be proposed.
-- parameters: act_id, report, run_id, manifest_sha256, verdict, verdict_reasons (text), file_count (bigint)
-- grain:   one row
insert into period_reports (act_id, report, run_id, manifest_sha256, file_count, verdict, verdict_reasons)
values (
    :'act_id'::text, :'report'::text, :'run_id'::text, :'manifest_sha256'::text, :'file_count'::bigint::integer, :'verdict'::text,
    :'verdict_reasons'::text::jsonb
);
