-- purpose: when the latest decision was made is asked before every page of the console that looks into the past: of whatever step.
drop index payrecon.case_decisions_by_time;
create index case_decisions_by_time on payrecon.case_decisions (at);
