-- purpose: cells in which the sides differ, with what is left of each to be explained; steps take from it.
-- parameters: none
-- grain:   tie_rest one row per cell that is not proved
create temp table tie_rest on commit drop as
select
    cell_no, product_no, line_no, sku, country, currency, price, sign, day, fiscal_period, place, is_partial,
    l1_units - least(l1_units, l3_units) as l1_left,
    l3_units - least(l1_units, l3_units) as l3_left,
    coalesce(early_units, 0) as early_units,
    coalesce(late_units, 0) as late_units,
    coalesce(extended, 0) as extended
from tie_cell
where l1_units <> l3_units;
