-- purpose: the auditors' bridge but for line 32: what the rows of each line add up to, by currency; see functions/bridge_rows.sql.
-- parameters: none; rows/ask_period.sql says the period and the clock
-- grain:   one row per line and currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    asked_period(), asked_at(), line.section, line.line_no, line.label, sum(told.count)::bigint, sum(told.amount), told.currency,
    line.source, line.ref
from bridge_rows() as told
inner join bridge_lines as line on line.line_no = told.line_no
where line.line_no <> 32
group by line.section, line.line_no, line.label, told.currency, line.source, line.ref;
