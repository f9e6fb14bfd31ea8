-- purpose: our units of the products that tell where Apple's day begins, by hour; and every storefront in which we sold anything.
-- parameters: looked_from, looked_to (timestamptz), as_of (timestamptz)
-- planner: set local cpu_operator_cost = 0; set local enable_sort = off
-- grain:   tie_offset_hour one row per line and hour, and per storefront one without line
create temp table tie_offset_hour on commit drop as
-- Most charges are of no such product: no hour and no price of these is reckoned.
with sold as (
    select
        told.product_no, charges.price_milliunits as total, charges.quantity,
        date_bin('1 hour', charges.purchased_at, timestamptz '2000-01-01 00:00:00+00') as hour, count(*) as charge_count
    from charges
    inner join (select distinct storefront, sku, currency, product_no from tie_offset_line) as told
        on told.storefront = coalesce(charges.storefront, '')
        and told.sku = charges.product_id
        and told.currency = coalesce(charges.currency, '')
    where charges.purchased_at >= :'looked_from'::timestamptz
        and charges.purchased_at < :'looked_to'::timestamptz
        and charges.purchased_at <= :'as_of'::timestamptz
        and charges.environment = 'Production'
        and charges.state not in ('family', 'free')
        and charges.price_milliunits <> 0
    group by 1, 2, 3, 4
)
select
    line.line_no, line.storefront, (extract(epoch from sold.hour) / 3600)::integer as hour_no,
    sum(sold.charge_count * sold.quantity)::bigint as units
from sold
inner join tie_offset_line as line
    on line.product_no = sold.product_no
    and line.price = unit_price(sold.total, sold.quantity, line.currency)
group by 1, 2, 3
union all
select null, place.storefront, null, null
from (
    select distinct coalesce(charges.storefront, '') as storefront
    from charges
    where charges.purchased_at >= :'looked_from'::timestamptz
        and charges.purchased_at < :'looked_to'::timestamptz
        and charges.purchased_at <= :'as_of'::timestamptz
) as place;
