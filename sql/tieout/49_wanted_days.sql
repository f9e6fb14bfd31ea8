-- purpose: possible UTC days of the charges and orders of the wanted cells, so that both are found by equality in one pass.
-- grain:   tie_wanted_day one row per cell that needs charges, app and day, and one per cell that needs orders and day
create temp table tie_wanted_day on commit drop as
select
    wanted.cell_no, 'charge' as side, own.bundle_id, wanted.sku, wanted.storefront, wanted.currency, wanted.day + beside.days as day
from tie_wanted as wanted
cross join lateral unnest(wanted.bundle_ids) as own (bundle_id)
cross join lateral generate_series(-1, 1 + wanted.last_day - wanted.day) as beside (days)
where wanted.sign = 1
    and (wanted.asks_ours or wanted.unexplained_units < 0 or wanted.open_units <> 0)
union all
select wanted.cell_no, 'order', null, wanted.sku, wanted.storefront, wanted.currency, wanted.day + beside.days
from tie_wanted as wanted
cross join lateral generate_series(-2, 2 + wanted.last_day - wanted.day) as beside (days)
where wanted.sign = 1
    and (wanted.asks_theirs or wanted.unexplained_units > 0);
