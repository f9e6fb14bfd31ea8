-- purpose: NEVER_COLLECTED by charge, for cells without any collected unit, which therefore determine their charges.
-- planner: set local enable_nestloop = on
-- grain:   one finding per charge
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, currency, detail,
    amount_milliunits, breaks_at
)
with uncollected as materialized (
    select
        charges.charge_id, charges.bundle_id, charges.transaction_ids, charges.currency,
        charges.purchased_at, charges.price_milliunits, whole.detail, whole.cell_id, whole.fiscal_period, tie_run.as_of,
        tie_run.ends_on
    from (
        select
            tie_result.*,
            first_value(tie_part.detail) over (
                partition by tie_part.cell_no order by english(tie_part.detail) collate "C"
            ) as detail
        from tie_part
        inner join tie_result on tie_result.cell_no = tie_part.cell_no
        where tie_part.cause = 'T2'
            and -tie_part.units = tie_result.l1_units
    ) as whole
    cross join tie_run
    inner join (
        select
            charges.*, tie_day.cell_day as day, unit_price(charges.price_milliunits, charges.quantity, charges.currency) as price
        from charges
        inner join tie_offset on tie_offset.storefront = charges.storefront
        inner join tie_day
            on tie_day.day = (charges.purchased_at at time zone tie_offset.zone)::date
        where is_paid_charge(charges.environment, charges.state)
    ) as charges
        on charges.product_id = whole.sku
        and charges.storefront = whole.storefront
        and charges.currency = whole.currency
        and charges.day = whole.day
        and charges.price = whole.price
),
matched as materialized (
    select named.charge_id, matched_orders.order_id
    from (select distinct uncollected.charge_id from uncollected) as named
    inner join matched_orders on matched_orders.charge_id = named.charge_id
),
holder as materialized (
    select matched.charge_id, orders.order_id, orders.user_id
    from matched
    inner join orders on orders.order_id = matched.order_id
)
select
    'NEVER_COLLECTED',
    'charge:' || uncollected.charge_id,
    uncollected.bundle_id,
    'Production',
    holder.order_id, uncollected.charge_id,
    uncollected.transaction_ids[1],
    holder.user_id, uncollected.currency,
    phrase('detail.charge_uncollected', jsonb_build_object(
        'at', rfc3339(uncollected.purchased_at), 'why', uncollected.detail, 'cell', uncollected.cell_id,
        'period', uncollected.fiscal_period
    )),
    uncollected.price_milliunits,
    least(uncollected.as_of, apple_midnight(uncollected.ends_on + 1))
from uncollected
left join holder on holder.charge_id = uncollected.charge_id;
