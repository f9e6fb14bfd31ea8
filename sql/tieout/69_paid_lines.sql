-- purpose: the rows of the period's payments files with their region, evaluated once; see functions/finance/payment_parts.sql.
-- grain:   tie_paid one row per effective row of a payments file
create temp table tie_paid on commit drop as
select paid.* from paid_lines() as paid;
