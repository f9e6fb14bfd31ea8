-- purpose: T17: returns of terms that customers left for an upgrade. Apple refunds the rest of the old term, never more than
--          its cost.
-- grain:   one pair per cell of Apple's returns with upgrades of that product on the same day or an adjacent one
insert into tie_pair (cause, l1_no, l3_no, units, detail)
with left_term as materialized (
    select
        charges.product_id as sku, tie_offset.country, coalesce(charges.currency, '') as currency,
        (coalesce(following.purchased_at, charges.signed_at) at time zone tie_offset.zone)::date as day,
        unit_price(charges.price_milliunits, charges.quantity, charges.currency) as price,
        count(*) as units
    from charges
    cross join tie_run
    inner join tie_offset on tie_offset.storefront = coalesce(charges.storefront, '')
    left join lateral (
        select min(later.purchased_at) as purchased_at
        from charges as later
        where later.original_transaction_id = charges.original_transaction_id
            and later.bundle_id = charges.bundle_id
            and later.environment = charges.environment
            and later.purchased_at > charges.purchased_at
    ) as following on true
    where charges.is_upgraded
        and charges.environment = 'Production'
        and charges.purchased_at >= tie_run.day_from - 400
        and exists (select 1 from tie_rest where tie_rest.l3_left > 0 and tie_rest.sign = -1)
    group by 1, 2, 3, 4, 5
),
theirs as (
    select
        tie_rest.*, near.day as left_on,
        -- Number of terms of that day with at least that cost.
        (
            select sum(left_term.units)
            from left_term
            where (left_term.sku, left_term.country, left_term.currency) = (tie_rest.sku, tie_rest.country, tie_rest.currency)
                and left_term.day = near.day
                and left_term.price >= tie_rest.price
        ) as upgrades,
        sum(tie_rest.l3_left) over dear_first as upto
    from tie_rest
    cross join lateral (
        select left_term.day
        from left_term
        where (left_term.sku, left_term.country, left_term.currency) = (tie_rest.sku, tie_rest.country, tie_rest.currency)
            and left_term.price >= tie_rest.price
            and left_term.day between tie_rest.day - 2 and tie_rest.day + 2
        order by abs(left_term.day - tie_rest.day), left_term.day
        limit 1
    ) as near
    where tie_rest.l3_left > 0
        and tie_rest.sign = -1
    window dear_first as (
        partition by tie_rest.sku, tie_rest.country, tie_rest.currency, near.day
        order by tie_rest.price desc, tie_rest.day, tie_rest.cell_no
    )
),
-- The dearest return first, limited by the number of terms with at least that cost.
limited_return as (
    select
        theirs.*,
        theirs.upto + least(0, min(theirs.upgrades - theirs.upto) over (
            partition by theirs.sku, theirs.country, theirs.currency, theirs.left_on
            order by theirs.price desc, theirs.day, theirs.cell_no
        )) as met_upto
    from theirs
),
matching as (
    select
        limited_return.cell_no,
        limited_return.met_upto - coalesce(lag(limited_return.met_upto) over (
            partition by limited_return.sku, limited_return.country, limited_return.currency, limited_return.left_on
            order by limited_return.price desc, limited_return.day, limited_return.cell_no
        ), 0) as units
    from limited_return
)
select 'T17', null, matching.cell_no, matching.units, phrase('detail.upgraded_rest')
from matching
where matching.units > 0;
