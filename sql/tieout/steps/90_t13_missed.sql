-- purpose: T13: a sale without evidence of a product that the catalogue, an order or a charge of ours names. Charges before
--          the evaluated days are not searched. A charge without a price may be that sale.
-- parameters: as_of (timestamptz)
-- grain:   one pair per cell of Apple's sales
insert into tie_pair (cause, l1_no, l3_no, units, detail)
with unpriced as materialized (
    select tie_our_day.sku, tie_our_day.country, tie_day.cell_day as day, sum(tie_our_day.units)::bigint as units
    from tie_our_day
    inner join tie_day on tie_day.day = tie_our_day.day
    where tie_our_day.kind = 'unpriced'
    group by 1, 2, 3
),
missed as materialized (
    select tie_rest.cell_no, tie_rest.sku, tie_rest.l3_left - coalesce(unpriced.units, 0) as units
    from tie_rest
    left join unpriced using (sku, country, day)
    where tie_rest.l3_left > coalesce(unpriced.units, 0)
        and tie_rest.sign = 1
        and tie_rest.day >= (select tie_run.day_from from tie_run)
),
-- Sales of the evaluated days are known; the rest of our books is searched only if needed.
near as materialized (
    select distinct missed.sku
    from missed
    where missed.sku in (select tie_our_day.sku from tie_our_day)
        or missed.sku in (select listed.product_id from products_at(:'as_of'::timestamptz) as listed)
        or missed.sku in (select listed.product_id from catalogue_prices_at(:'as_of'::timestamptz) as listed)
),
far as materialized (select distinct missed.sku from missed where missed.sku not in (select near.sku from near)),
charged as materialized (
    select distinct charges.product_id as sku from charges where charges.product_id in (select far.sku from far)
),
own_product as (
    select near.sku
    from near
    union all
    select charged.sku
    from charged
    union all
    select distinct orders.product_id
    from orders
    where orders.product_id in (select far.sku from far where far.sku not in (select charged.sku from charged))
)
select 'T13', null::bigint, missed.cell_no, missed.units, phrase('detail.sold_unseen')
from missed
inner join own_product on own_product.sku = missed.sku;
