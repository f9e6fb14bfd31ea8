-- purpose: Returns the contribution of each charge, order and matched pair to those measures of the daily summary that do
--          not depend on its clock; report_sums stores their sums by day. Reads payrecon.summed_orders and
--          payrecon.summed_matches without their schema name: the present, the transaction's past clock, or selected facts
--          (sql/sums).
-- grain:   one row per measure and charge, order or pair
-- rules:   every measure is a separate query over the facts, so that the identities of a row can fail; only Production has
--          money; a matched order counts on the day of its charge, so that a pair never falls on two days
create or replace function payrecon.fact_rows() returns table (
    measure text, part text, bundle_id text, environment text, currency text, is_day boolean, day date, business_day date,
    original_transaction_id text, charge_id text, order_id text, break_id text, at timestamptz, n bigint, amount bigint
)
language sql stable parallel safe
as $$
    with app as materialized (
        select entry.bundle_id, entry.zone, (payrecon.viewed_at() at time zone entry.zone)::date - 1 as business_day
        from payrecon.viewed_apps() as entry
    ),
    charge as materialized (select entry.* from payrecon.dated_charges() as entry),
    active_match as materialized (
        select entry.order_id, entry.charge_id, entry.original_transaction_id, entry.confidence from summed_matches as entry
    ),
    -- Refused because the purchase was in the sandbox, but delivered: a test, or goods to be taken back.
    unpaid as materialized (
        select entry.order_id
        from payrecon.refused_claims_at(payrecon.viewed_at()) as entry
        where entry.class = 'SANDBOX_IN_PROD'
    ),
    booking as materialized (
        select
            orders.order_id, orders.bundle_id, orders.environment, coalesce(orders.currency, '') as currency,
            orders.price_milliunits,
            payrecon.is_booked(orders.status, orders.paid_at, orders.delivered_at) as is_booked,
            unpaid.order_id is not null and payrecon.was_delivered(orders.status, orders.delivered_at) as is_unpaid,
            charge.original_transaction_id, charge.charge_id, charge.kind, charge.currency as charge_currency,
            charge.price_milliunits as charge_price_milliunits,
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
                when booking.kind <> 'money' and not booking.is_booked then 'none'
                when booking.kind <> 'money' then 'not_charged'
                when not booking.is_booked then 'not_booked'
                when booking.price_milliunits is null or booking.charge_price_milliunits is null
                    or booking.currency = '' or booking.charge_currency = ''
                    then 'unpriced'
                when booking.currency <> booking.charge_currency then 'currency_diff'
                else 'amount_diff'
            end as line
        from booking
        where booking.charge_id is not null
            and booking.environment = 'Production'
    ),
    -- Each line is selected by its name below, so that pairs are not read for lines without them.
    pair_side as (
        select
            pair_line.line, pair_line.bundle_id, pair_line.environment, pair_line.charge_currency as side_currency,
            pair_line.local_day = pair_line.business_day as is_day, pair_line.local_day, pair_line.business_day,
            pair_line.original_transaction_id, pair_line.charge_id, pair_line.order_id,
            case when pair_line.line <> 'amount_diff' or pair_line.price_milliunits <> pair_line.charge_price_milliunits then 1 else 0 end
                as n,
            pair_line.charge_price_milliunits - case pair_line.line when 'amount_diff' then pair_line.price_milliunits else 0 end as amount
        from pair_line
        where pair_line.line in ('amount_diff', 'currency_diff', 'unpriced', 'not_booked')
        union all
        select
            pair_line.line, pair_line.bundle_id, pair_line.environment, pair_line.currency,
            pair_line.local_day = pair_line.business_day, pair_line.local_day, pair_line.business_day,
            pair_line.original_transaction_id, pair_line.charge_id, pair_line.order_id, 1, -pair_line.price_milliunits
        from pair_line
        where pair_line.line in ('currency_diff', 'unpriced', 'not_charged')
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
        select distinct on (break_events.break_id) break_events.charge_id, break_events.is_open
        from break_events
        where break_events.family = 'charge_open'
            and break_events.as_of <= (select payrecon.viewed_at())
            and break_events.break_id in (
                select naming.break_id
                from early
                inner join break_events as naming on naming.charge_id = early.charge_id
                where naming.family = 'charge_open'
            )
        order by break_events.break_id asc, break_events.as_of desc, break_events.attempt desc
    ),
    -- Charges without an order and without a difference, from before the app's start date.
    history as materialized (
        select early.charge_id
        from early
        where not exists (select 1 from disputed where disputed.is_open and disputed.charge_id = early.charge_id)
            and not exists (
                select 1
                from payrecon.pending_breaks_at(payrecon.viewed_at()) as waiting
                where waiting.family = 'charge_open'
                    and waiting.charge_id = early.charge_id
            )
    )
    select
        'tx', case when history.charge_id is null then charge.kind else 'history' end, charge.bundle_id, charge.environment,
        charge.currency, charge.local_day = charge.business_day, charge.local_day, charge.business_day,
        charge.original_transaction_id, charge.charge_id, null::text, null::text, null::timestamptz, 1::bigint,
        case when charge.kind = 'money' and history.charge_id is null then charge.price_milliunits end
    from charge
    left join history on history.charge_id = charge.charge_id
    union all
    select
        'history', null, charge.bundle_id, charge.environment, charge.currency, charge.local_day = charge.business_day,
        charge.local_day, charge.business_day, charge.original_transaction_id, charge.charge_id, null, null, null, 1,
        charge.price_milliunits
    from charge
    inner join history on history.charge_id = charge.charge_id
    union all
    select
        -- Decided matches count as derived ones.
        'matched', coalesce(nullif(active_match.confidence, 'decided'), 'derived'),
        charge.bundle_id, charge.environment, charge.currency, charge.local_day = charge.business_day, charge.local_day,
        charge.business_day, charge.original_transaction_id, charge.charge_id, active_match.order_id, null, null, 1,
        charge.price_milliunits
    from active_match
    inner join charge using (original_transaction_id, charge_id)
    where charge.kind = 'money'
    union all
    select
        'order', null, booking.bundle_id, booking.environment, booking.currency, booking.local_day = booking.business_day,
        booking.local_day, booking.business_day, null, booking.charge_id, booking.order_id, null, null, 1,
        booking.price_milliunits
    from booking
    where booking.is_booked
        and booking.environment = 'Production'
    union all
    select
        'open_tx', null, charge.bundle_id, charge.environment, charge.currency, charge.local_day = charge.business_day,
        charge.local_day, charge.business_day, charge.original_transaction_id, charge.charge_id, null, null, null, 1,
        charge.price_milliunits
    from charge
    where charge.kind = 'money'
        and not exists (
            select 1
            from active_match
            where active_match.original_transaction_id = charge.original_transaction_id
                and active_match.charge_id = charge.charge_id
        )
        and not exists (select 1 from history where history.charge_id = charge.charge_id)
    union all
    select
        'open_order', null, booking.bundle_id, booking.environment, booking.currency,
        booking.local_day = booking.business_day, booking.local_day, booking.business_day, null, null, booking.order_id,
        null, null, 1, booking.price_milliunits
    from booking
    where booking.is_booked
        and booking.environment = 'Production'
        and not booking.is_unpaid
        and not exists (select 1 from active_match where active_match.order_id = booking.order_id)
    union all
    select
        'not_charged', null, booking.bundle_id, booking.environment, booking.currency,
        booking.local_day = booking.business_day, booking.local_day, booking.business_day, null, null, booking.order_id,
        null, null, 1, -booking.price_milliunits
    from booking
    where booking.is_booked
        and booking.environment = 'Production'
        and booking.is_unpaid
    union all
    select
        'amount_diff', null, pair_side.bundle_id, pair_side.environment, pair_side.side_currency, pair_side.is_day, pair_side.local_day,
        pair_side.business_day, pair_side.original_transaction_id, pair_side.charge_id, pair_side.order_id, null, null, pair_side.n,
        pair_side.amount
    from pair_side
    where pair_side.line = 'amount_diff'
    union all
    select
        'currency_diff', null, pair_side.bundle_id, pair_side.environment, pair_side.side_currency, pair_side.is_day, pair_side.local_day,
        pair_side.business_day, pair_side.original_transaction_id, pair_side.charge_id, pair_side.order_id, null, null, pair_side.n,
        pair_side.amount
    from pair_side
    where pair_side.line = 'currency_diff'
    union all
    select
        'unpriced', null, pair_side.bundle_id, pair_side.environment, pair_side.side_currency, pair_side.is_day, pair_side.local_day,
        pair_side.business_day, pair_side.original_transaction_id, pair_side.charge_id, pair_side.order_id, null, null, pair_side.n,
        pair_side.amount
    from pair_side
    where pair_side.line = 'unpriced'
    union all
    select
        'not_booked', null, pair_side.bundle_id, pair_side.environment, pair_side.side_currency, pair_side.is_day, pair_side.local_day,
        pair_side.business_day, pair_side.original_transaction_id, pair_side.charge_id, pair_side.order_id, null, null, pair_side.n,
        pair_side.amount
    from pair_side
    where pair_side.line = 'not_booked'
    union all
    select
        'not_charged', null, pair_side.bundle_id, pair_side.environment, pair_side.side_currency, pair_side.is_day, pair_side.local_day,
        pair_side.business_day, pair_side.original_transaction_id, pair_side.charge_id, pair_side.order_id, null, null, pair_side.n,
        pair_side.amount
    from pair_side
    where pair_side.line = 'not_charged'
    union all
    select
        'refund', null, charge.bundle_id, charge.environment, charge.currency,
        (charge.revoked_at at time zone charge.zone)::date = charge.business_day,
        (charge.revoked_at at time zone charge.zone)::date, charge.business_day, charge.original_transaction_id,
        charge.charge_id, null, null, null, 1, charge.refunded_milliunits
    from charge
    where charge.kind = 'money'
        and charge.revoked_at <= (select payrecon.viewed_at())
        and charge.refunded_milliunits > 0
    union all
    select
        'refund_reversed', null, charge.bundle_id, charge.environment, charge.currency,
        (charge.reversed_at at time zone charge.zone)::date = charge.business_day,
        (charge.reversed_at at time zone charge.zone)::date, charge.business_day, charge.original_transaction_id,
        charge.charge_id, null, null, null, 1, charge.price_milliunits
    from charge
    where charge.kind = 'money'
        and charge.reversed_at <= (select payrecon.viewed_at())
$$;
