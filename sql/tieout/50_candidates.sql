-- purpose: who it may be: of cells in which something is left or was never collected, at most twenty charges or orders, the likeliest
--          first, each with what speaks for it.
-- parameters: none
-- grain:   tie_candidate one row per cell
create temp table tie_candidate on commit drop as
with wanted as materialized (
    select
        tie_result.*, tie_offset.offset_hours,
        exists (
            select 1
            from tie_part
            where tie_part.cell_no = tie_result.cell_no
                and tie_part.cause in ('T1', 'T2', 'T12')
                and tie_part.units < 0
        ) as asks_ours,
        exists (
            select 1 from tie_part where tie_part.cell_no = tie_result.cell_no and tie_part.cause in ('T4', 'T13')
        ) as asks_theirs
    from tie_result
    inner join tie_offset
        on tie_offset.storefront = coalesce(
            tie_result.storefront, (select min(storefronts.storefront) from storefronts where storefronts.country = tie_result.country)
        )
    where tie_result.l1_units <> tie_result.l3_units
        and tie_result.price > 0
    -- Nobody reads more.
    order by abs(tie_result.l3_units - tie_result.l1_units) * tie_result.price desc, tie_result.cell_id
    limit 5000
),
-- Each charge with its day for Apple, so that cells find theirs by equal keys.
sold as (
    select
        charges.charge_id, charges.original_transaction_id, charges.product_id, charges.storefront, charges.currency,
        charges.price_milliunits, charges.quantity, charges.purchased_at,
        ((charges.purchased_at at time zone 'UTC') + tie_offset.offset_hours * interval '1 hour')::date as day
    from charges
    inner join tie_offset on tie_offset.storefront = charges.storefront
    where charges.environment = 'Production'
        and charges.state in ('charged', 'refunded', 'partly_refunded')
        and charges.purchased_at >= (select starts_on::timestamp at time zone 'UTC' - interval '2 days' from tie_run)
        and charges.purchased_at < (select ends_on::timestamp at time zone 'UTC' + interval '3 days' from tie_run)
        and charges.purchased_at <= (select as_of from tie_run)
),
asked as materialized (
    select
        wanted.cell_no, sold.charge_id, sold.original_transaction_id, sold.purchased_at
    from wanted
    inner join sold
        on sold.product_id = wanted.sku
        and sold.storefront = wanted.storefront
        and sold.currency = wanted.currency
        and sold.day = wanted.day
        and sold.price_milliunits = round(wanted.price * 1000) * sold.quantity
    where wanted.sign = 1
        and (wanted.asks_ours or wanted.unexplained_units < 0 or wanted.open_units <> 0)
),
held as materialized (
    select matches.charge_id, matches.order_id
    from (select distinct asked.original_transaction_id, asked.charge_id from asked) as named
    inner join matches
        on matches.original_transaction_id = named.original_transaction_id
        and matches.charge_id = named.charge_id
),
found as (
    -- Charges of ours that Apple's cell lacks: without order first, then the latest of the day.
    select
        asked.cell_no, asked.charge_id as id,
        case when held.charge_id is null then 2 else 0 end as score,
        asked.purchased_at as at,
        concat_ws(', ', case when held.charge_id is null then 'no order' else 'order ' || held.order_id end,
            'bought ' || rfc3339(asked.purchased_at)) as why
    from asked
    left join held on held.charge_id = asked.charge_id
    union all
    -- Refunds of ours that Apple's cell lacks.
    select
        wanted.cell_no, charges.charge_id, 0, charges.revoked_at, 'refunded ' || rfc3339(charges.revoked_at)
    from wanted
    inner join charges
        on charges.product_id = wanted.sku
        and charges.storefront = wanted.storefront
        and charges.currency = wanted.currency
        and charges.environment = 'Production'
        and charges.state in ('refunded', 'partly_refunded')
        and ((charges.revoked_at at time zone 'UTC') + wanted.offset_hours * interval '1 hour')::date = wanted.day
    where wanted.sign = -1
        and (wanted.unexplained_units > 0 or wanted.open_units <> 0)
    union all
    -- Sales of ours that were kept and that Apple may have taken back: the latest first.
    select
        wanted.cell_no, charges.charge_id, 0, charges.purchased_at, 'kept, bought ' || rfc3339(charges.purchased_at)
    from wanted
    inner join charges
        on charges.product_id = wanted.sku
        and charges.currency = wanted.currency
        and charges.environment = 'Production'
        and charges.state = 'charged'
        and charges.price_milliunits = round(wanted.price * 1000) * charges.quantity
    inner join tie_offset
        on tie_offset.storefront = charges.storefront
        and tie_offset.country = wanted.country
    where wanted.sign = -1
        and (wanted.asks_theirs or wanted.unexplained_units <> 0)
        and charges.purchased_at < wanted.day::timestamp at time zone 'UTC' + interval '2 days'
        and charges.purchased_at >= wanted.day::timestamp at time zone 'UTC' - interval '90 days'
    union all
    -- Orders that were paid and have no charge, where Apple sold what no evidence shows.
    select
        wanted.cell_no, 'order ' || orders.order_id, 1, coalesce(orders.paid_at, orders.created_at),
        'paid and without charge, ordered ' || rfc3339(orders.created_at)
    from wanted
    inner join orders
        on orders.product_id = wanted.sku
        and orders.status in ('paid', 'delivered')
        and orders.environment = 'Production'
    where wanted.sign = 1
        and (wanted.asks_theirs or wanted.unexplained_units > 0)
        and coalesce(orders.storefront, wanted.storefront, '') = coalesce(wanted.storefront, orders.storefront, '')
        and coalesce(orders.currency, wanted.currency) = wanted.currency
        and coalesce(orders.paid_at, orders.created_at) >= wanted.day::timestamp at time zone 'UTC' - interval '2 days'
        and coalesce(orders.paid_at, orders.created_at) < wanted.day::timestamp at time zone 'UTC' + interval '3 days'
        and not exists (select 1 from matched_orders where matched_orders.order_id = orders.order_id)
),
ranked as (
    select found.*, row_number() over (partition by cell_no order by score desc, at desc, id) as rank
    from found
)
select cell_no, array_agg(id || ': ' || why order by rank) as candidates
from ranked
where rank <= 20
group by cell_no;
