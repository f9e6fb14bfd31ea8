-- purpose: removes sums without remaining rows.
-- grain:   one row per row of report_sums
delete from payrecon.report_sums where row_count = 0;
