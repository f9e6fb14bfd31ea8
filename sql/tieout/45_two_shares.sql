-- purpose: cells in which units brought two different amounts, as when some customers have paid for more than a year: where the
--          charges whose subscription was first paid a year before are as many as the units that brought more, each
--          charge's proceeds are known; otherwise the average stands for them and is called so.
-- parameters: none
-- grain:   tie_split one row per such cell
create temp table tie_split on commit drop as
with two as (
    select
        tie_result.cell_no, tie_result.sku, tie_result.storefront, tie_result.currency, tie_result.price, tie_result.day,
        tie_result.l1_units,
        (
            select tie_share.units
            from tie_share
            where tie_share.sku = tie_result.sku
                and tie_share.country = tie_result.country
                and tie_share.currency = tie_result.currency
                and tie_share.price = tie_result.price
                and tie_share.sign = tie_result.sign
                and tie_share.day = tie_result.day
                and tie_share.fiscal_period = tie_result.fiscal_period
            order by tie_share.share desc
            limit 1
        ) as greater_units
    from tie_result
    where tie_result.share_count = 2
        and tie_result.sign = 1
        and tie_result.l1_units = tie_result.l3_units
)
select two.cell_no
from two
inner join tie_offset on tie_offset.storefront = two.storefront
inner join charges
    on charges.product_id = two.sku
    and charges.storefront = two.storefront
    and charges.currency = two.currency
    and charges.environment = 'Production'
    and charges.state in ('charged', 'refunded', 'partly_refunded')
    and charges.price_milliunits = two.price * 1000 * charges.quantity
    and charges.purchased_at >= two.day::timestamp at time zone 'UTC' - interval '1 day'
    and charges.purchased_at < two.day::timestamp at time zone 'UTC' + interval '2 days'
    and ((charges.purchased_at at time zone 'UTC') + tie_offset.offset_hours * interval '1 hour')::date = two.day
where two.greater_units is not null
group by two.cell_no, two.greater_units
having sum(charges.quantity) filter (
    where exists (
        select 1
        from charges as earlier
        where earlier.original_transaction_id = charges.original_transaction_id
            and earlier.type = 'auto_renewable'
            and earlier.price_milliunits > 0
            and earlier.purchased_at <= charges.purchased_at - interval '1 year'
    )
) = two.greater_units;
