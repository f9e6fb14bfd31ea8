-- purpose: our side by cell: days with the fiscal period in which they should settle. If a period's report has no days, its
--          cells have none either: early units are those of its first day, late ones those of its last.
-- grain:   tie_l1 one row per line, day and fiscal period; partial_units are those of partial refunds
create temp table tie_l1 on commit drop as
select
    tie_line.line_no, tie_day.cell_day as day, tie_day.fiscal_period, tie_day.period_no,
    min(ours.bundle_id) as bundle_id,
    min(ours.storefront) as storefront,
    sum(ours.units)::bigint as units,
    sum(ours.kept_units)::bigint as kept_units,
    coalesce(sum(ours.units) filter (where ours.kind = 'partial'), 0)::bigint as partial_units,
    coalesce(sum(ours.early_units) filter (where tie_day.day = tie_day.cell_day), 0)::bigint as early_units,
    coalesce(sum(ours.late_units) filter (where tie_day.day = tie_day.last_cell_day), 0)::bigint as late_units,
    sum(ours.amount) as amount,
    max(ours.cost) as cost
from tie_our_day as ours
inner join tie_day on tie_day.day = ours.day
inner join tie_line using (sku, country, currency, price)
where ours.kind in ('sale', 'refund', 'partial')
    and tie_line.sign = case when ours.kind = 'sale' then 1 else -1 end
group by 1, 2, 3, 4;
