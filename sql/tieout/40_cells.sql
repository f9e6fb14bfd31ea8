-- purpose: both sides side by side, numbered by what makes a cell: the same facts give the same numbers in any order of arrival.
-- parameters: none
-- grain:   tie_cell one row per cell of any period that is looked at
create temp table tie_cell on commit drop as
with ours as (
    select tie_line.line_no, tie_l1.*
    from tie_l1
    inner join tie_line
        on tie_line.sku = tie_l1.sku
        and tie_line.country = tie_l1.country
        and tie_line.currency = tie_l1.currency
        and tie_line.price = tie_l1.price
        and tie_line.sign = tie_l1.sign
        and tie_line.is_partial = tie_l1.is_partial
),
theirs as (
    select tie_line.line_no, tie_period.place, tie_l3.*
    from tie_l3
    inner join tie_period on tie_period.fiscal_period = tie_l3.fiscal_period
    inner join tie_line
        on tie_line.sku = tie_l3.sku
        and tie_line.country = tie_l3.country
        and tie_line.currency = tie_l3.currency
        and tie_line.price = tie_l3.price
        and tie_line.sign = tie_l3.sign
    where not tie_line.is_partial
),
joined as (
    select
        coalesce(ours.line_no, theirs.line_no) as line_no,
        coalesce(ours.day, theirs.day) as day,
        coalesce(ours.fiscal_period, theirs.fiscal_period) as fiscal_period,
        coalesce(ours.place, theirs.place) as place,
        coalesce(ours.units, 0) as l1_units,
        coalesce(theirs.units, 0) as l3_units,
        ours.bundle_id, ours.storefront, ours.early_units, ours.late_units, ours.kept_units,
        theirs.region, theirs.apple_identifier, theirs.order_type, theirs.settlement_from, theirs.settlement_to,
        theirs.share_currency, theirs.extended, theirs.share_count, theirs.unit_share, theirs.share_counts
    from ours
    full join theirs
        on theirs.line_no = ours.line_no
        and theirs.day = ours.day
        and theirs.place = ours.place
)
select
    row_number() over (order by joined.line_no, joined.day, joined.place) as cell_no,
    tie_line.product_no, joined.line_no, tie_line.sku, tie_line.country, tie_line.currency, tie_line.price, tie_line.sign, joined.day,
    joined.fiscal_period, joined.place, tie_line.is_partial, joined.l1_units, joined.l3_units, joined.bundle_id, joined.storefront,
    joined.early_units, joined.late_units, joined.kept_units, joined.region, joined.apple_identifier, joined.order_type,
    joined.settlement_from, joined.settlement_to, joined.share_currency, joined.extended, joined.share_count, joined.unit_share,
    joined.share_counts
from joined
inner join tie_line on tie_line.line_no = joined.line_no;
