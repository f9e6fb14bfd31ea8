-- purpose: removes the sums, where everything is added up anew.
-- grain:   one row per row of report_sums
delete from payrecon.report_sums;
