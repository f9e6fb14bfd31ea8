-- purpose: Returns the contribution of each charge, order and matched pair to those measures of the daily summary that do not
--          depend on its clock; report_sums stores their sums by day. Reads payrecon.summed_orders and payrecon.summed_matches
--          without their schema name: the present, the transaction's past clock, or selected facts (sql/sums).
-- grain:   one row per measure and charge, order or pair
-- rules:   every measure is a separate query over the facts, so that the identities of a row can fail; only Production has
--          money; a matched order counts on the day of its charge, so that a pair never falls on two days
create or replace function payrecon.fact_rows() returns table (
    measure text, part text, bundle_id text, environment text, currency text, is_day boolean, day date, business_day date,
    charge_id text, order_id text, n bigint, amount bigint
)
language sql stable parallel safe
as $$
    with app as materialized (select entry.* from payrecon.viewed_apps() as entry),
    charge as materialized (select entry.* from payrecon.dated_charges() as entry),
    active_match as materialized (select order_id, charge_id, original_transaction_id, confidence from summed_matches),
    -- Refused because the purchase was in the sandbox, but delivered: a test, or goods to be taken back.
    unpaid as materialized (
        select order_id
        from payrecon.refused_claims_at(payrecon.viewed_at()) as entry
        where class = 'SANDBOX_IN_PROD'
    ),
    booking as materialized (
        select
            orders.order_id, orders.bundle_id, orders.environment, coalesce(orders.currency, '') as currency,
            orders.price_milliunits,
            payrecon.is_booked(orders.status, orders.paid_at, orders.delivered_at) as is_booked,
            unpaid.order_id is not null and payrecon.was_delivered(orders.status, orders.delivered_at) as is_unpaid,
            charge.charge_id, charge.kind, charge.currency as charge_currency, charge.price_milliunits as charge_price_milliunits,
            coalesce(app.business_day, (select (payrecon.viewed_at() at time zone 'UTC')::date - 1)) as business_day,
            coalesce(charge.local_day, (orders.created_at at time zone coalesce(app.zone, 'UTC'))::date) as local_day
        from summed_orders as orders
        left join app on app.bundle_id = orders.bundle_id
        left join active_match on active_match.order_id = orders.order_id
        left join unpaid
            on unpaid.order_id = orders.order_id
            and active_match.order_id is null
        left join charge using (original_transaction_id, charge_id)
    ),
    -- The amounts that a matched Production pair moves between the two books.
    pair_line as (
        select
            booking.*,
            case
                when kind <> 'money' and not is_booked then 'none'
                when kind <> 'money' then 'not_charged'
                when not is_booked then 'not_booked'
                when price_milliunits is null or charge_price_milliunits is null
                    or currency = '' or charge_currency = ''
                    then 'unpriced'
                when currency <> charge_currency then 'currency_diff'
                else 'amount_diff'
            end as line
        from booking
        where charge_id is not null
            and environment = 'Production'
    ),
    pair_side as (
        select
            line, bundle_id, environment, charge_currency as side_currency, local_day = business_day as is_day, local_day, business_day,
            charge_id, order_id,
            case when line <> 'amount_diff' or price_milliunits <> charge_price_milliunits then 1 else 0 end
                as n,
            charge_price_milliunits - case line when 'amount_diff' then price_milliunits else 0 end as amount
        from pair_line
        where line in ('amount_diff', 'currency_diff', 'unpriced', 'not_booked')
        union all
        select
            line, bundle_id, environment, currency, local_day = business_day, local_day, business_day, charge_id, order_id, 1,
            -price_milliunits
        from pair_line
        where line in ('currency_diff', 'unpriced', 'not_charged')
    ),
    early as materialized (
        select charge.charge_id
        from charge
        inner join payrecon.viewed_starts() as started on started.bundle_id = charge.bundle_id
        where charge.kind = 'money'
            and charge.purchased_at < started.starts_at
            and not exists (select 1 from active_match where active_match.charge_id = charge.charge_id)
    ),
    disputed as (
        select distinct on (break_id) charge_id, is_open
        from break_events
        where family = 'charge_open'
            and as_of <= (select payrecon.viewed_at())
            and break_id in (
                select naming.break_id
                from early
                inner join break_events as naming on naming.charge_id = early.charge_id
                where naming.family = 'charge_open'
            )
        order by break_id asc, as_of desc, attempt desc
    ),
    -- Charges without an order and without a difference, from before the app's start date.
    history as materialized (
        select charge_id
        from early
        where not exists (select 1 from disputed where disputed.is_open and disputed.charge_id = early.charge_id)
            and not exists (
                select 1
                from payrecon.pending_breaks_at(payrecon.viewed_at()) as pending
                where pending.family = 'charge_open'
                    and pending.charge_id = early.charge_id
            )
    )
    select
        'tx', case when history.charge_id is null then charge.kind else 'history' end, charge.bundle_id, charge.environment,
        charge.currency, charge.local_day = charge.business_day, charge.local_day, charge.business_day,
        charge.charge_id, null::text, 1::bigint,
        case when charge.kind = 'money' and history.charge_id is null then charge.price_milliunits end
    from charge
    left join history on history.charge_id = charge.charge_id
    union all
    select
        'history', null, charge.bundle_id, charge.environment, charge.currency, charge.local_day = charge.business_day,
        charge.local_day, charge.business_day, charge.charge_id, null, 1, charge.price_milliunits
    from charge
    inner join history on history.charge_id = charge.charge_id
    union all
    select
        -- Decided matches count as derived ones.
        'matched', coalesce(nullif(active_match.confidence, 'decided'), 'derived'),
        charge.bundle_id, charge.environment, charge.currency, charge.local_day = charge.business_day, charge.local_day,
        charge.business_day, charge.charge_id, active_match.order_id, 1, charge.price_milliunits
    from active_match
    inner join charge using (original_transaction_id, charge_id)
    where charge.kind = 'money'
    union all
    select
        'order', null, bundle_id, environment, currency, local_day = business_day, local_day, business_day, charge_id, order_id, 1,
        price_milliunits
    from booking
    where is_booked
        and environment = 'Production'
    union all
    select
        'open_tx', null, bundle_id, environment, currency, local_day = business_day, local_day, business_day, charge_id, null, 1,
        price_milliunits
    from charge
    where kind = 'money'
        and not exists (
            select 1
            from active_match
            where active_match.original_transaction_id = charge.original_transaction_id
                and active_match.charge_id = charge.charge_id
        )
        and not exists (select 1 from history where history.charge_id = charge.charge_id)
    union all
    select
        'open_order', null, bundle_id, environment, currency, local_day = business_day, local_day, business_day, null, order_id, 1,
        price_milliunits
    from booking
    where is_booked
        and environment = 'Production'
        and not is_unpaid
        and not exists (select 1 from active_match where active_match.order_id = booking.order_id)
    union all
    select
        'not_charged', null, bundle_id, environment, currency, local_day = business_day, local_day, business_day, null, order_id, 1,
        -price_milliunits
    from booking
    where is_booked
        and environment = 'Production'
        and is_unpaid
    union all
    select
        line, null, bundle_id, environment, side_currency, is_day, local_day, business_day, charge_id, order_id, n, amount
    from pair_side
    union all
    select
        'refund', null, bundle_id, environment, currency,
        (revoked_at at time zone charge.zone)::date = business_day,
        (revoked_at at time zone charge.zone)::date, business_day, charge_id, null, 1, refunded_milliunits
    from charge
    where kind = 'money'
        and revoked_at <= (select payrecon.viewed_at())
        and refunded_milliunits > 0
    union all
    select
        'refund_reversed', null, bundle_id, environment, currency,
        (reversed_at at time zone charge.zone)::date = business_day,
        (reversed_at at time zone charge.zone)::date, business_day, charge_id, null, 1, price_milliunits
    from charge
    where kind = 'money'
        and reversed_at <= (select payrecon.viewed_at())
$$;
