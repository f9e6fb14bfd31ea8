-- purpose: sales by our charges, read once, with the quarter hour of each charge. Apple's time zones are learned from the
--          quarter hours, and days are computed from them. Only Production has money; sandbox, family, free and unpriced
--          charges are counted apart.
-- parameters: charges_from, charges_to (timestamptz), as_of (timestamptz)
-- grain:   tie_sold one row per app, product, storefront, price, quantity and state, with a quarter hour since 1970 for each charge
create temp table tie_sold on commit drop as
select
    sold.bundle_id, sold.sku, sold.storefront, coalesce(sold.currency, '') as currency,
    unit_price(coalesce(sold.total, 0), sold.quantity, sold.currency) as price, sold.quantity, sold.total,
    case
        when sold.environment <> 'Production' then 'sandbox'
        when sold.state = 'family' then 'family'
        when sold.state = 'free' or sold.total = 0 then 'free'
        when sold.total is null then 'unpriced'
        else 'sale'
    end as kind,
    sold.state = 'charged' as is_kept, sold.quarters
from (
    select
        charges.bundle_id, charges.product_id as sku, coalesce(charges.storefront, '') as storefront, charges.currency,
        charges.price_milliunits as total, charges.quantity, charges.environment, charges.state,
        array_agg(floor(date_part('epoch', charges.purchased_at) / 900)::integer) as quarters
    from charges
    where charges.purchased_at >= :'charges_from'::timestamptz
        and charges.purchased_at < :'charges_to'::timestamptz
        and charges.purchased_at <= :'as_of'::timestamptz
    group by 1, 2, 3, 4, 5, 6, 7, 8
) as sold;
