-- purpose: T18: the same product on the same day at another price: preserved, offered or changed between quote and renewal. Apple's is
--          not above what the charge cost, or one at which the product is sold there by the catalogue or by another charge of ours.
-- parameters: as_of (timestamptz)
-- grain:   one pair per cell of ours and cell of Apple's, the dearest paired first by day
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
asked as materialized (
    select tie_rest.*, near.dearest
    from tie_rest
    inner join (select distinct ours.product_no, ours.day, ours.dearest from ours) as near
        on near.product_no = tie_rest.product_no
        and near.day = tie_rest.day
    where tie_rest.l3_left > 0
        and tie_rest.sign = 1 and tie_rest.price > 0
),
-- Few are dearer than ours, and only of these it is asked what is known.
known as materialized (
    select asked.cell_no
    from asked
    inner join tie_l1 on tie_l1.line_no = asked.line_no
    where asked.price > asked.dearest
    union
    select asked.cell_no
    from asked
    inner join storefronts on storefronts.country = asked.country
    inner join catalogue_prices_at(:'as_of'::timestamptz) as listed
        on listed.product_id = asked.sku
        and listed.storefront = storefronts.storefront
        and listed.currency = asked.currency
        and listed.price_milliunits = asked.price * 1000
    where asked.price > asked.dearest
),
theirs as (
    select
        asked.cell_no, asked.product_no, asked.day, asked.price, asked.l3_left, known.cell_no is not null as is_known,
        sum(asked.l3_left) over (partition by asked.product_no, asked.day order by asked.price desc, asked.cell_no) as upto
    from asked
    left join known on known.cell_no = asked.cell_no
    where asked.price <= asked.dearest
        or known.cell_no is not null
)
select
    'T18', ours.cell_no, theirs.cell_no,
    least(ours.upto, theirs.upto) - greatest(ours.upto - ours.l1_left, theirs.upto - theirs.l3_left),
    'Apple sold it at another price'
from ours
inner join theirs
    on theirs.product_no = ours.product_no
    and theirs.day = ours.day
where ours.upto > theirs.upto - theirs.l3_left
    and theirs.upto > ours.upto - ours.l1_left
    and (theirs.price <= ours.price or theirs.is_known);
