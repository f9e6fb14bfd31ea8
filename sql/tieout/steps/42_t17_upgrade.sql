-- purpose: T17: returns of terms that customers left for a better one: Apple gives the rest of the old term back.
-- parameters: none
-- grain:   one pair per cell of Apple's returns with upgrades of that product on that day or the days beside it
insert into tie_pair (cause, l1_no, l3_no, units, detail)
with left_term as materialized (
    select
        charges.product_id as sku, tie_offset.country, coalesce(charges.currency, '') as currency,
        ((coalesce(following.purchased_at, charges.signed_at) at time zone 'UTC')
            + tie_offset.offset_hours * interval '1 hour')::date as day,
        count(*) as units
    from charges
    cross join tie_run
    inner join tie_offset on tie_offset.storefront = coalesce(charges.storefront, '')
    left join lateral (
        select min(later.purchased_at) as purchased_at
        from charges as later
        where later.original_transaction_id = charges.original_transaction_id
            and later.purchased_at > charges.purchased_at
    ) as following on true
    where charges.is_upgraded
        and charges.environment = 'Production'
        and charges.purchased_at >= tie_run.day_from - 400
        and exists (select 1 from tie_rest where tie_rest.l3_left > 0 and tie_rest.sign = -1)
    group by 1, 2, 3, 4
),
theirs as (
    select
        tie_rest.*, near.units as upgrades,
        sum(tie_rest.l3_left) over (
            partition by tie_rest.sku, tie_rest.country, tie_rest.currency, near.day order by tie_rest.day, tie_rest.cell_no
        ) as upto
    from tie_rest
    cross join lateral (
        select left_term.day, left_term.units
        from left_term
        where left_term.sku = tie_rest.sku
            and left_term.country = tie_rest.country
            and left_term.currency = tie_rest.currency
            and left_term.day between tie_rest.day - 2 and tie_rest.day + 2
        order by abs(left_term.day - tie_rest.day), left_term.day
        limit 1
    ) as near
    where tie_rest.l3_left > 0
        and tie_rest.sign = -1
)
select 'T17', null, cell_no, least(upgrades, upto) - (upto - l3_left), 'the rest of a term that was upgraded'
from theirs
where upto - l3_left < upgrades;
