-- purpose: our side: what charges say was sold and given back, by the day that it has for Apple. Production alone is money; what is not,
--          is counted apart: sandbox, family, free, and what names no price. Units near the ends of a day may lie on the next one; where
--          nobody learned when a storefront's day begins, all may.
-- parameters: looked_from, looked_to (timestamptz), as_of (timestamptz)
-- grain:   tie_our_day one row per product, storefront, price, quantity, day and kind (sale; of its units kept those that were not given
--          back; refund, partial, and those apart)
create temp table tie_our_day on commit drop as
with sold as (
    select
        placed.bundle_id, placed.sku, placed.storefront, placed.currency, placed.total, placed.quantity, placed.local_at::date as day,
        case
            when placed.environment <> 'Production' then 'sandbox'
            when placed.state = 'family' then 'family'
            when placed.state = 'free' or placed.total = 0 then 'free'
            when placed.total is null then 'unpriced'
            else 'sale'
        end as kind,
        count(*) as charge_count,
        count(*) filter (where placed.state = 'charged') as kept_count,
        count(*) filter (where placed.local_at::time < time '06:00') as early_count,
        count(*) filter (where placed.local_at::time >= time '18:00') as late_count
    from (
        select
            charges.bundle_id, charges.product_id as sku, place.storefront, charges.currency,
            charges.price_milliunits as total, charges.quantity, charges.environment, charges.state,
            (charges.purchased_at at time zone 'UTC') + place.ahead as local_at
        from charges
        inner join (select tie_offset.storefront, tie_offset.offset_hours * interval '1 hour' as ahead from tie_offset) as place
            on place.storefront = coalesce(charges.storefront, '')
        where charges.purchased_at >= :'looked_from'::timestamptz
            and charges.purchased_at < :'looked_to'::timestamptz
            and charges.purchased_at <= :'as_of'::timestamptz
        -- The instant is moved once for each charge, not wherever it is read.
        offset 0
    ) as placed
    group by 1, 2, 3, 4, 5, 6, 7, 8
),
returned as (
    select
        placed.bundle_id, placed.sku, placed.storefront, placed.country, placed.basis, placed.currency, placed.local_at::date as day,
        placed.price_milliunits, placed.quantity, placed.refunded_milliunits,
        count(*) as charge_count,
        count(*) filter (where placed.local_at::time < time '06:00') as early_count,
        count(*) filter (where placed.local_at::time >= time '18:00') as late_count
    from (
        select
            charges.bundle_id, charges.product_id as sku, tie_offset.storefront, tie_offset.country, tie_offset.basis, charges.currency,
            charges.price_milliunits, charges.quantity, charges.refunded_milliunits,
            (charges.revoked_at at time zone 'UTC') + tie_offset.offset_hours * interval '1 hour' as local_at
        from charges
        inner join tie_offset on tie_offset.storefront = coalesce(charges.storefront, '')
        where charges.environment = 'Production'
            and charges.state in ('refunded', 'partly_refunded')
            and charges.price_milliunits > 0
            and charges.refunded_milliunits > 0
            and charges.revoked_at >= :'looked_from'::timestamptz
            and charges.revoked_at < :'looked_to'::timestamptz
            and charges.revoked_at <= :'as_of'::timestamptz
    ) as placed
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
)
select
    sold.bundle_id, sold.sku, sold.storefront, tie_offset.country, coalesce(sold.currency, '') as currency,
    unit_price(coalesce(sold.total, 0), sold.quantity, sold.currency) as price,
    sold.day, sold.kind, sold.charge_count * sold.quantity as units, sold.kept_count * sold.quantity as kept_units,
    case tie_offset.basis when 'usual' then sold.charge_count else sold.early_count end * sold.quantity as early_units,
    case tie_offset.basis when 'usual' then sold.charge_count else sold.late_count end * sold.quantity as late_units
from sold
inner join tie_offset on tie_offset.storefront = sold.storefront
union all
select
    returned.bundle_id, returned.sku, returned.storefront, returned.country, coalesce(returned.currency, ''), back.price,
    returned.day, case when back.is_partial then 'partial' else 'refund' end, returned.charge_count * back.units, 0,
    case returned.basis when 'usual' then returned.charge_count else returned.early_count end * back.units,
    case returned.basis when 'usual' then returned.charge_count else returned.late_count end * back.units
from returned
cross join lateral given_back(returned.price_milliunits, returned.quantity, returned.refunded_milliunits, returned.currency) as back;
