-- purpose: the auditors' bridge but for line 32: what the rows of each line add up to, by currency; see functions/bridge_rows.sql. Orders
--          are many, and alike for a line: they are added up before they are put on their lines.
-- parameters: none; rows/ask_period.sql says the period and the clock
-- grain:   one row per line and currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
with booked as (
    select told.currency, told.kind, told.is_in_month, told.is_in_period, count(*) as order_count, sum(told.milliunits) as milliunits
    from bridge_orders() as told
    group by told.currency, told.kind, told.is_in_month, told.is_in_period
),
added as (
    select told.line_no, told.currency, sum(told.count) as count, sum(told.amount) as amount
    from bridge_rows() as told
    where told.kind <> 'order'
    group by told.line_no, told.currency
    union all
    select mark.line_no, booked.currency, mark.sign * booked.order_count, mark.sign * booked.milliunits / 1000
    from booked
    inner join bridge_marks as mark
        on mark.kind = booked.kind
        and mark.is_in_month = booked.is_in_month
        and mark.is_in_period = booked.is_in_period
)
select
    asked_period(), asked_at(), line.section, line.line_no, line.label, sum(added.count)::bigint, sum(added.amount), added.currency,
    line.source, line.ref
from added
inner join bridge_lines as line on line.line_no = added.line_no
where line.line_no <> 32
group by line.section, line.line_no, line.label, added.currency, line.source, line.ref;
