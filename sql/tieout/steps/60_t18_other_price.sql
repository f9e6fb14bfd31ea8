-- purpose: T18: the same product on the same day at another price: preserved, offered, or changed between quote and renewal.
--          Apple's price is at most the charge's cost, or a price of the product in the catalogue or in another charge of
--          ours there.
-- parameters: as_of (timestamptz)
-- grain:   one pair per cell of ours and cell of Apple's, the dearest first by day
insert into tie_pair (cause, l1_no, l3_no, units, detail)
with ours as (
    select
        cell_no, product_no, day, price, l1_left,
        sum(l1_left) over (partition by product_no, day order by price desc, cell_no) as upto,
        max(price) over (partition by product_no, day) as dearest
    from tie_rest
    where l1_left > 0
        and sign = 1 and price > 0
),
dearer as materialized (
    select tie_rest.*, near.dearest
    from tie_rest
    inner join (select distinct ours.product_no, ours.day, ours.dearest from ours) as near using (product_no, day)
    where tie_rest.l3_left > 0
        and tie_rest.sign = 1 and tie_rest.price > 0
),
-- Known prices are looked up only for the few cells that are dearer than ours.
known as materialized (
    select dearer.cell_no
    from dearer
    inner join tie_l1 on tie_l1.line_no = dearer.line_no
    where dearer.price > dearer.dearest
    union
    select dearer.cell_no
    from dearer
    inner join storefronts on storefronts.country = dearer.country
    inner join catalogue_prices_at(:'as_of'::timestamptz) as listed
        on listed.product_id = dearer.sku
        and listed.storefront = storefronts.storefront
        and listed.currency = dearer.currency
        and listed.price_milliunits = dearer.price * 1000
    where dearer.price > dearer.dearest
),
theirs as (
    select
        dearer.cell_no, dearer.product_no, dearer.day, dearer.price, dearer.l3_left, known.cell_no is not null as is_known,
        sum(dearer.l3_left) over (partition by dearer.product_no, dearer.day order by dearer.price desc, dearer.cell_no) as upto
    from dearer
    left join known on known.cell_no = dearer.cell_no
    where dearer.price <= dearer.dearest
        or known.cell_no is not null
)
select 'T18', ours.cell_no, theirs.cell_no, shared.units, phrase('detail.other_price')
from ours
inner join theirs using (product_no, day)
cross join lateral (select paired_units(ours.upto, ours.l1_left, theirs.upto, theirs.l3_left) as units) as shared
where shared.units > 0
    and (theirs.price <= ours.price or theirs.is_known);
