-- purpose: both sides side by side, numbered by line, day and period. The same facts give the same numbers in any order of
--          arrival. A cell without our side belongs to the app that alone sells its product.
-- parameters: as_of (timestamptz)
-- grain:   tie_cell one row per cell of any evaluated period
create temp table tie_cell on commit drop as
with theirs as (
    select tie_line.line_no, tie_period.period_no, tie_l3.*
    from tie_l3
    inner join tie_period on tie_period.fiscal_period = tie_l3.fiscal_period
    inner join tie_line using (sku, country, currency, price, sign)
),
unsold as materialized (
    select distinct tie_l3.sku
    from tie_l3
    where tie_l3.sku not in (select tie_our_day.sku from tie_our_day)
),
ordered as materialized (
    select distinct orders.product_id as sku, orders.bundle_id
    from orders
    where orders.product_id in (select unsold.sku from unsold)
),
seller as materialized (
    select named.sku, min(named.bundle_id) as bundle_id
    from (
        select tie_our_day.sku, tie_our_day.bundle_id
        from tie_our_day
        union
        select listed.product_id, listed.bundle_id
        from products_at(:'as_of'::timestamptz) as listed
        union
        select listed.product_id, listed.bundle_id
        from catalogue_prices_at(:'as_of'::timestamptz) as listed
        union
        select ordered.sku, ordered.bundle_id
        from ordered
    ) as named
    group by named.sku
    having min(named.bundle_id) = max(named.bundle_id)
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
    ours.partial_units, ours.cost, coalesce(ours.bundle_id, seller.bundle_id) as bundle_id, ours.storefront, ours.early_units,
    ours.late_units,
    theirs.region, theirs.apple_identifier, theirs.order_type, theirs.settlement_from, theirs.settlement_to,
    theirs.share_currency, theirs.extended, theirs.share_count, theirs.unit_share, theirs.share_counts
from tie_l1 as ours
full join theirs using (line_no, day, period_no)
inner join tie_line using (line_no)
left join seller on seller.sku = tie_line.sku;
