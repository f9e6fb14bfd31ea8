-- purpose: whether the daily summary reads its sums, and no whole tables.
-- parameters: none; rows/ask.sql says the clock and our apps
-- grain:   one row
select has_report_sums() as is_current;
