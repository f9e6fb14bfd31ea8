-- purpose: whether the daily summary can read its sums instead of whole tables.
-- parameters: none; rows/set_viewed.sql sets the clock and our apps
-- grain:   one row
select has_report_sums() as is_current;
