-- purpose: our side: what charges say was sold and given back, by the day that it has for Apple. Production alone is money; what is not,
--          is counted apart: sandbox, family, free. Units near the ends of a day may lie on the next one; where nobody learned when a
--          storefront's day begins, all may.
-- parameters: looked_from, looked_to (timestamptz), as_of (timestamptz)
-- grain:   tie_our_day one row per product, storefront, price, quantity, day and kind (sale; of its units kept those that were not given
--          back; refund, partial, and those apart)
create temp table tie_our_day on commit drop as
with sold as (
    select
        placed.bundle_id, placed.sku, placed.storefront, placed.country, placed.basis, placed.currency, placed.total, placed.quantity,
        placed.local_at::date as day,
        case
            when placed.environment <> 'Production' then 'sandbox'
            when placed.state = 'family' then 'family'
            when placed.state = 'free' or coalesce(placed.total, 0) = 0 then 'free'
            else 'sale'
        end as kind,
        count(*) as charge_count,
        count(*) filter (where placed.state = 'charged') as kept_count,
        count(*) filter (where placed.local_at::time < time '06:00') as early_count,
        count(*) filter (where placed.local_at::time >= time '18:00') as late_count
    from (
        select
            charges.bundle_id, charges.product_id as sku, place.storefront, place.country, place.basis, charges.currency,
            charges.price_milliunits as total, charges.quantity, charges.environment, charges.state,
            (charges.purchased_at at time zone 'UTC') + place.ahead as local_at
        from charges
        inner join (select tie_offset.*, tie_offset.offset_hours * interval '1 hour' as ahead from tie_offset) as place
            on place.storefront = coalesce(charges.storefront, '')
        where charges.purchased_at >= :'looked_from'::timestamptz
            and charges.purchased_at < :'looked_to'::timestamptz
            and charges.purchased_at <= :'as_of'::timestamptz
        -- The instant is moved once for each charge, not wherever it is read.
        offset 0
    ) as placed
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
),
given_back as (
    select
        placed.bundle_id, placed.sku, placed.storefront, placed.country, placed.basis, placed.currency, placed.local_at::date as day,
        placed.price_milliunits, placed.quantity, placed.refunded_milliunits,
        -- Of three coins, a third is one coin.
        placed.refunded_milliunits * placed.quantity % placed.price_milliunits = 0 as is_whole,
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
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
)
select
    bundle_id, sku, storefront, country, coalesce(currency, '') as currency,
    round(
        coalesce(total, 0)::numeric / quantity / 1000,
        case currency_unit(coalesce(currency, '')) when 1000 then 0 when 1 then 3 else 2 end
    ) as price,
    day, kind, charge_count * quantity as units, kept_count * quantity as kept_units,
    case basis when 'usual' then charge_count else early_count end * quantity as early_units,
    case basis when 'usual' then charge_count else late_count end * quantity as late_units
from sold
union all
select
    given_back.bundle_id, given_back.sku, given_back.storefront, given_back.country, coalesce(given_back.currency, ''),
    round(
        case when given_back.is_whole then given_back.price_milliunits::numeric / given_back.quantity else given_back.refunded_milliunits
        end / 1000,
        case currency_unit(coalesce(given_back.currency, '')) when 1000 then 0 when 1 then 3 else 2 end
    ),
    given_back.day, case when given_back.is_whole then 'refund' else 'partial' end, given_back.charge_count * back.units, 0,
    case given_back.basis when 'usual' then given_back.charge_count else given_back.early_count end * back.units,
    case given_back.basis when 'usual' then given_back.charge_count else given_back.late_count end * back.units
from given_back
cross join lateral (
    select case
        when given_back.is_whole then given_back.refunded_milliunits * given_back.quantity / given_back.price_milliunits else 1
    end as units
) as back;
