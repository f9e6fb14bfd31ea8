-- purpose: removes all sums before they are recomputed.
-- grain:   one row per row of report_sums
delete from payrecon.report_sums;
