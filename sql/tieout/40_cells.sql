-- purpose: both sides side by side, numbered by line, day and period. The same facts give the same numbers in any order of
--          arrival.
-- grain:   tie_cell one row per cell of any evaluated period
create temp table tie_cell on commit drop as
with theirs as (
    select tie_line.line_no, tie_period.period_no, tie_l3.*
    from tie_l3
    inner join tie_period on tie_period.fiscal_period = tie_l3.fiscal_period
    inner join tie_line using (sku, country, currency, price, sign)
)
select
    -- Leaves room for ten million days and a hundred thousand periods in each line.
    (line_no * 10000000 + (day - date '0001-01-01')) * 100000 + period_no as cell_no, line_no, day, period_no,
    tie_line.product_no, tie_line.sku, tie_line.country, tie_line.currency, tie_line.price, tie_line.sign,
    coalesce(ours.fiscal_period, theirs.fiscal_period) as fiscal_period,
    coalesce(ours.units, 0) as l1_units,
    coalesce(theirs.units, 0) as l3_units,
    -- The actual cost, since unit prices are rounded: three coins for 10.00 are 3.33 each.
    coalesce(ours.amount, 0) as l1_amount,
    ours.partial_units, ours.cost, ours.bundle_id, ours.storefront, ours.early_units, ours.late_units,
    theirs.region, theirs.apple_identifier, theirs.order_type, theirs.settlement_from, theirs.settlement_to,
    theirs.share_currency, theirs.extended, theirs.share_count, theirs.unit_share, theirs.share_counts
from tie_l1 as ours
full join theirs using (line_no, day, period_no)
inner join tie_line using (line_no);
