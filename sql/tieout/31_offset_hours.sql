-- purpose: our units of the products that tell where Apple's day begins, by hour; and every storefront in which we sold anything.
-- parameters: looked_from, looked_to (timestamptz), as_of (timestamptz)
-- grain:   tie_offset_hour one row per line and hour, and per storefront one without line for all else
create temp table tie_offset_hour on commit drop as
with sold as (
    select
        coalesce(charges.storefront, '') as storefront, charges.product_id as sku, coalesce(charges.currency, '') as currency,
        charges.price_milliunits, charges.quantity, charges.purchased_at,
        charges.environment = 'Production' and charges.state not in ('family', 'free') and charges.price_milliunits <> 0 as is_sale
    from charges
    where charges.purchased_at >= :'looked_from'::timestamptz
        and charges.purchased_at < :'looked_to'::timestamptz
        and charges.purchased_at <= :'as_of'::timestamptz
),
-- Most charges are of no such product: these come to a row per storefront before any price is reckoned.
counted as (
    select
        sold.storefront, told.sku, told.currency,
        case when told.sku is not null then sold.price_milliunits end as total,
        case when told.sku is not null then sold.quantity end as quantity,
        case when told.sku is not null then date_bin('1 hour', sold.purchased_at, timestamptz '2000-01-01 00:00:00+00') end as hour,
        count(*) as charge_count
    from sold
    left join (select distinct storefront, sku, currency from tie_offset_line) as told
        on told.storefront = sold.storefront
        and told.sku = sold.sku
        and told.currency = sold.currency
        and sold.is_sale
    group by 1, 2, 3, 4, 5, 6
),
priced as (
    select
        counted.*,
        round(
            counted.total::numeric / counted.quantity / 1000,
            case currency_unit(counted.currency) when 1000 then 0 when 1 then 3 else 2 end
        ) as price
    from counted
)
select
    tie_offset_line.line_no, priced.storefront,
    case when tie_offset_line.line_no is not null then (extract(epoch from priced.hour) / 3600)::integer end as hour_no,
    sum(priced.charge_count * priced.quantity)::bigint as units
from priced
left join tie_offset_line
    on tie_offset_line.storefront = priced.storefront
    and tie_offset_line.sku = priced.sku
    and tie_offset_line.currency = priced.currency
    and tie_offset_line.price = priced.price
group by 1, 2, 3;
