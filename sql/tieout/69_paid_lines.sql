-- purpose: the rows of the period's payments files with the region that each is, told once; see functions/finance/payment_parts.sql.
-- parameters: none; rows/ask_period.sql says the period and the clock
-- grain:   tie_paid one row per row of a payments file that counts
create temp table tie_paid on commit drop as
select told.* from paid_lines() as told;
