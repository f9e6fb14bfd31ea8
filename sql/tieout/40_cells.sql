-- purpose: both sides side by side, numbered by what makes a cell: the same facts give the same numbers in any order of arrival.
-- parameters: none
-- grain:   tie_cell one row per cell of any period that is looked at
create temp table tie_cell on commit drop as
with theirs as (
    select tie_l3.*, tie_period.place, false as is_partial
    from tie_l3
    inner join tie_period on tie_period.fiscal_period = tie_l3.fiscal_period
),
joined as (
    select
        coalesce(tie_l1.sku, theirs.sku) as sku,
        coalesce(tie_l1.country, theirs.country) as country,
        coalesce(tie_l1.currency, theirs.currency) as currency,
        trim_scale(coalesce(tie_l1.price, theirs.price)) as price,
        coalesce(tie_l1.sign, theirs.sign) as sign,
        coalesce(tie_l1.day, theirs.day) as day,
        coalesce(tie_l1.fiscal_period, theirs.fiscal_period) as fiscal_period,
        coalesce(tie_l1.place, theirs.place) as place,
        coalesce(tie_l1.is_partial, false) as is_partial,
        coalesce(tie_l1.units, 0) as l1_units,
        coalesce(theirs.units, 0) as l3_units,
        tie_l1.bundle_id, tie_l1.storefront, tie_l1.early_units, tie_l1.late_units, tie_l1.kept_units,
        theirs.region, theirs.apple_identifier, theirs.order_type, theirs.settlement_from, theirs.settlement_to,
        theirs.share_currency, theirs.extended, theirs.share_count, theirs.unit_share, theirs.share_counts
    from tie_l1
    full join theirs
        on theirs.sku = tie_l1.sku
        and theirs.country = tie_l1.country
        and theirs.currency = tie_l1.currency
        and theirs.price = tie_l1.price
        and theirs.sign = tie_l1.sign
        and theirs.day = tie_l1.day
        and theirs.fiscal_period = tie_l1.fiscal_period
        and theirs.is_partial = tie_l1.is_partial
)
select
    row_number() over (order by sku, country, currency, price, sign, is_partial, day, place) as cell_no,
    dense_rank() over (order by sku, country, currency, sign) as product_no,
    dense_rank() over (order by sku, country, currency, sign, price, is_partial) as line_no,
    joined.*
from joined;
