-- purpose: the orders, charges, cells, lines of reports, payments and credits behind each figure of a period's bridge: what each adds to
--          it, a count or money.
-- parameters: fiscal_period, section, currency, line_no, figure (text: count or amount; empty for all of them); rows/ask_period.sql
--          says the period and the clock of its tie-out
-- grain:   one row per figure and order, charge, cell, part of a cell, line, payment or credit; the values of a figure add up to it
select
    viewed_period() as fiscal_period, line.section, coalesce(nullif(told.currency, ''), '-') as currency, line.line_no, part.figure,
    line.label, told.kind, told.id, told.detail, trim_scale(part.value)::text as value
from bridge_rows() as told
inner join bridge_lines as line on line.line_no = told.line_no
cross join lateral (values ('count', told.count), ('amount', told.amount)) as part (figure, value)
where :'fiscal_period'::text in ('', viewed_period())
    and :'section'::text in ('', line.section)
    and :'currency'::text in ('', coalesce(nullif(told.currency, ''), '-'))
    and :'line_no'::text in ('', line.line_no::text)
    and :'figure'::text in ('', part.figure)
    and part.value <> 0
order by line.line_no, told.currency, part.figure, abs(part.value) desc, told.kind, told.id collate "C";
