-- purpose: the orders, charges, cells, report lines, payments and credits behind each figure of a period's bridge, with
--          their contribution as a count or money.
-- parameters: fiscal_period, section, currency, line_no, figure (text: count or amount; empty for all); rows/set_viewed_period.sql
--             sets the period and the clock of its tie-out
-- grain:   one row per figure and order, charge, cell, part of a cell, line, payment or credit; the values of a figure add
--          up to it
select
    viewed_period() as fiscal_period, line.section, coalesce(nullif(bridge.currency, ''), '-') as currency, line.line_no, part.figure,
    line.label, bridge.kind, bridge.id, bridge.detail, trim_scale(part.value)::text as value
from bridge_rows() as bridge
inner join bridge_lines as line on line.line_no = bridge.line_no
cross join lateral (values ('count', bridge.count), ('amount', bridge.amount)) as part (figure, value)
where :'fiscal_period'::text in ('', viewed_period())
    and :'section'::text in ('', line.section)
    and :'currency'::text in ('', coalesce(nullif(bridge.currency, ''), '-'))
    and :'line_no'::text in ('', line.line_no::text)
    and :'figure'::text in ('', part.figure)
    and part.value <> 0
order by line.line_no, bridge.currency, part.figure, abs(part.value) desc, bridge.kind, bridge.id collate "C";
