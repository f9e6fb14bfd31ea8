-- purpose: T12: one purchase stored under two transactions, which two reviewers called a benign duplicate. If the charge has
--          an order, the order was the duplicate, and the charge is money.
-- parameters: as_of (timestamptz)
-- grain:   one pair per cell of ours with such charges
insert into tie_pair (cause, l1_no, l3_no, units, detail)
with decided as materialized (
    select charges.*
    from decided_pairs_at(:'as_of'::timestamptz) as pair
    inner join charges on charges.charge_id = pair.charge_id
    where pair.action = 'benign_duplicate'
        and charges.state = 'charged'
),
ordered as materialized (
    select decided.charge_id
    from decided
    inner join matches using (original_transaction_id, charge_id)
),
twin as (
    select tie_rest.cell_no, tie_rest.l1_left, sum(decided.quantity) as units
    from decided
    inner join tie_offset on tie_offset.storefront = coalesce(decided.storefront, '')
    inner join tie_day
        on tie_day.day = (decided.purchased_at at time zone tie_offset.zone)::date
    inner join tie_rest
        on tie_rest.sku = decided.product_id
        and tie_rest.country = tie_offset.country
        and tie_rest.currency = coalesce(decided.currency, '')
        and tie_rest.day = tie_day.cell_day
        and tie_rest.price = unit_price(decided.price_milliunits, decided.quantity, decided.currency)
        and tie_rest.sign = 1
    left join ordered on ordered.charge_id = decided.charge_id
    where tie_rest.l1_left > 0
        and ordered.charge_id is null
    group by tie_rest.cell_no, tie_rest.l1_left
)
select 'T12', cell_no, null, least(l1_left, units), phrase('detail.benign')
from twin;
