-- purpose: both sides side by side, numbered by line, day and period. The same facts give the same numbers in any order of
--          arrival.
-- grain:   tie_cell one row per cell of any evaluated period
create temp table tie_cell on commit drop as
with ours as (
    select
        tie_line.line_no, tie_line.product_no, tie_line.sku, tie_line.country, tie_line.currency, tie_line.price, tie_line.sign,
        tie_line.is_partial, tie_l1.day, tie_l1.fiscal_period, tie_l1.period_no, tie_l1.bundle_id, tie_l1.storefront, tie_l1.units,
        tie_l1.early_units, tie_l1.late_units, tie_l1.amount, tie_l1.cost
    from tie_l1
    inner join tie_line on tie_line.line_no = tie_l1.line_no
),
theirs as (
    select tie_line.line_no, tie_line.product_no, tie_line.price as line_price, tie_period.period_no, tie_l3.*
    from tie_l3
    inner join tie_period on tie_period.fiscal_period = tie_l3.fiscal_period
    inner join tie_line using (sku, country, currency, price, sign)
    where not tie_line.is_partial
)
select
    -- Leaves room for ten million days and a hundred thousand periods in each line.
    (line_no * 10000000 + (day - date '0001-01-01')) * 100000 + period_no as cell_no, line_no, day, period_no,
    coalesce(ours.product_no, theirs.product_no) as product_no,
    coalesce(ours.sku, theirs.sku) as sku,
    coalesce(ours.country, theirs.country) as country,
    coalesce(ours.currency, theirs.currency) as currency,
    coalesce(ours.price, theirs.line_price) as price,
    coalesce(ours.sign, theirs.sign) as sign,
    coalesce(ours.fiscal_period, theirs.fiscal_period) as fiscal_period,
    coalesce(ours.is_partial, false) as is_partial,
    coalesce(ours.units, 0) as l1_units,
    coalesce(theirs.units, 0) as l3_units,
    -- The actual cost, since unit prices are rounded: three coins for 10.00 are 3.33 each.
    coalesce(ours.amount, 0) as l1_amount,
    ours.cost, ours.bundle_id, ours.storefront, ours.early_units, ours.late_units,
    theirs.region, theirs.apple_identifier, theirs.order_type, theirs.settlement_from, theirs.settlement_to,
    theirs.share_currency, theirs.extended, theirs.share_count, theirs.unit_share, theirs.share_counts
from ours
full join theirs using (line_no, day, period_no);
