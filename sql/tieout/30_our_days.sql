-- purpose: our side: sales and refunds by Apple's day. Units within six hours of a day's start or end may belong to the
--          neighbouring day, whether the time zone was learned or is the usual one.
-- parameters: charges_from, charges_to (timestamptz), as_of (timestamptz)
-- grain:   tie_our_day one row per product, storefront, price, quantity, day and kind (sale, with kept: units not refunded;
--          refund, partial, and those counted apart), with its money; cost is the cost of the dearest charge behind a
--          partial price
create temp table tie_our_day on commit drop as
with returned as (
    select
        placed.bundle_id, placed.sku, placed.storefront, placed.country, placed.currency, placed.day_before + placed.day_no as day,
        placed.price_milliunits, placed.quantity, placed.refunded_milliunits,
        count(*) as charge_count,
        count(*) filter (where placed.quarter_no < placed.begins[placed.day_no] + 24) as early_count,
        count(*) filter (where placed.quarter_no >= placed.begins[placed.day_no + 1] - 24) as late_count
    from (
        select
            charges.bundle_id, charges.product_id as sku, tie_offset.storefront, tie_offset.country, charges.currency,
            charges.price_milliunits, charges.quantity, charges.refunded_milliunits, tie_zone.day_before, tie_zone.begins,
            refund_quarter.quarter_no, width_bucket(refund_quarter.quarter_no, tie_zone.begins) as day_no
        from charges
        inner join tie_offset on tie_offset.storefront = coalesce(charges.storefront, '')
        inner join tie_zone on tie_zone.zone_no = tie_offset.zone_no
        cross join lateral (select floor(date_part('epoch', charges.revoked_at) / 900)::integer as quarter_no) as refund_quarter
        where charges.environment = 'Production'
            and charges.state in ('refunded', 'partly_refunded')
            and charges.price_milliunits > 0
            and charges.refunded_milliunits > 0
            and charges.revoked_at >= :'charges_from'::timestamptz
            and charges.revoked_at < :'charges_to'::timestamptz
            and charges.revoked_at <= :'as_of'::timestamptz
    ) as placed
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
)
select
    tie_sold.bundle_id, tie_sold.sku, tie_sold.storefront, tie_offset.country, tie_sold.currency, tie_sold.price,
    tie_zone.day_before + sold.day_no as day, tie_sold.kind, sold.charge_count * tie_sold.quantity as units,
    case when tie_sold.is_kept then sold.charge_count else 0 end * tie_sold.quantity as kept_units,
    sold.early_count * tie_sold.quantity as early_units,
    sold.late_count * tie_sold.quantity as late_units,
    sold.charge_count * tie_sold.total::numeric / 1000 as amount, null::numeric as cost
from tie_sold
inner join tie_offset on tie_offset.storefront = tie_sold.storefront
inner join tie_zone on tie_zone.zone_no = tie_offset.zone_no
cross join lateral (
    select
        placed.day_no, count(*) as charge_count,
        count(*) filter (where placed.quarter_no < tie_zone.begins[placed.day_no] + 24) as early_count,
        count(*) filter (where placed.quarter_no >= tie_zone.begins[placed.day_no + 1] - 24) as late_count
    from (
        select sold_at.quarter_no, width_bucket(sold_at.quarter_no, tie_zone.begins) as day_no
        from unnest(tie_sold.quarters) as sold_at (quarter_no)
    ) as placed
    group by placed.day_no
) as sold
union all
select
    returned.bundle_id, returned.sku, returned.storefront, returned.country, coalesce(returned.currency, ''), back.price,
    returned.day, case when back.is_partial then 'partial' else 'refund' end, returned.charge_count * back.units, 0,
    returned.early_count * back.units,
    returned.late_count * back.units,
    returned.charge_count * returned.refunded_milliunits::numeric / 1000, returned.price_milliunits::numeric / 1000
from returned
cross join lateral refunded_units(returned.price_milliunits, returned.quantity, returned.refunded_milliunits, returned.currency) as back;
