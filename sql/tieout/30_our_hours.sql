-- purpose: our side: what charges say was sold and given back, by hour, since nobody knows yet where a storefront's day begins.
--          Production alone is money; what is not, is counted apart: sandbox, family, free.
-- parameters: looked_from, looked_to (timestamptz), as_of (timestamptz)
-- grain:   tie_hour one row per product, storefront, price, quantity, hour and kind (sale, kept: a sale that was not given
--          back; refund, partial, and those apart)
create temp table tie_hour on commit drop as
with sold as (
    select
        charges.bundle_id, charges.product_id as sku, charges.storefront, charges.currency, charges.price_milliunits as total,
        charges.quantity, date_bin('1 hour', charges.purchased_at, timestamptz '2000-01-01 00:00:00+00') as hour,
        case
            when charges.environment <> 'Production' then 'sandbox'
            when charges.state = 'family' then 'family'
            when charges.state = 'free' or coalesce(charges.price_milliunits, 0) = 0 then 'free'
            when charges.state = 'charged' then 'kept'
            else 'sale'
        end as kind,
        count(*) as charge_count
    from charges
    where charges.purchased_at >= :'looked_from'::timestamptz
        and charges.purchased_at < :'looked_to'::timestamptz
        and charges.purchased_at <= :'as_of'::timestamptz
    group by 1, 2, 3, 4, 5, 6, 7, 8
),
returned as (
    select
        charges.bundle_id, charges.product_id as sku, charges.storefront, charges.currency,
        date_bin('1 hour', charges.revoked_at, timestamptz '2000-01-01 00:00:00+00') as hour,
        charges.price_milliunits, charges.quantity, charges.refunded_milliunits, count(*) as charge_count
    from charges
    where charges.environment = 'Production'
        and charges.state in ('refunded', 'partly_refunded')
        and charges.price_milliunits > 0
        and charges.refunded_milliunits > 0
        and charges.revoked_at >= :'looked_from'::timestamptz
        and charges.revoked_at < :'looked_to'::timestamptz
        and charges.revoked_at <= :'as_of'::timestamptz
    group by 1, 2, 3, 4, 5, 6, 7, 8
)
select
    bundle_id, sku, coalesce(storefront, '') as storefront, coalesce(currency, '') as currency,
    unit_price(coalesce(total, 0), quantity, currency) as price, hour, kind, charge_count * quantity as units
from sold
union all
select
    returned.bundle_id, returned.sku, coalesce(returned.storefront, ''), coalesce(returned.currency, ''), back.price, returned.hour,
    case when back.is_partial then 'partial' else 'refund' end, returned.charge_count * back.units
from returned
cross join lateral given_back(returned.price_milliunits, returned.quantity, returned.refunded_milliunits, returned.currency) as back;
