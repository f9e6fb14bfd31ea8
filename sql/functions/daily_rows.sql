-- purpose: what the daily summary adds up, one by one: every charge, order, match, pending difference and break with what it adds to
--          each measure. The summary, the chart of its days and the rows behind their figures all read it. Plain names: it tells of
--          the present, or of the clock that a transaction looks back to.
-- grain:   one row per measure and charge, order or break; is_day is null for a measure that belongs to both scopes; at is when a
--          break opened or a difference becomes one
-- rules:   every measure is its own query over the facts, so that the identities of a row can fail; money of Production only; a
--          matched order counts on the day of its charge, so that a pair never falls into two days
create or replace function payrecon.daily_rows() returns table (
    measure text, part text, bundle_id text, environment text, currency text, is_day boolean, day date, business_day date,
    original_transaction_id text, charge_id text, order_id text, break_id text, at timestamptz, n bigint, amount bigint
)
language sql stable parallel safe
as $$
    with app as (
        select
            told.bundle_id, told.zone, (payrecon.asked_at() at time zone told.zone)::date - 1 as business_day
        from payrecon.asked_apps() as told
    ),
    known_batch as (
        select batches.batch_id, batches.known_at from batches where batches.known_at <= (select payrecon.asked_at())
    ),
    known_charge as (
        select charges.*
        from charges
        where charges.batch_id in (select known_batch.batch_id from known_batch)
    ),
    charge as materialized (
        select
            known_charge.original_transaction_id, known_charge.charge_id, known_charge.bundle_id, known_charge.environment,
            coalesce(known_charge.currency, '') as currency, known_charge.price_milliunits, known_charge.refunded_milliunits,
            known_charge.revoked_at, known_charge.reversed_at, known_charge.purchased_at,
            case
                when known_charge.environment <> 'Production' then 'sandbox'
                when known_charge.state = 'family' then 'family'
                when known_charge.state = 'free' then 'zero_price'
                else 'money'
            end as kind,
            coalesce(app.zone, 'UTC') as zone,
            coalesce(app.business_day, (select (payrecon.asked_at() at time zone 'UTC')::date - 1)) as business_day,
            (known_charge.purchased_at at time zone coalesce(app.zone, 'UTC'))::date as local_day
        from known_charge
        left join app on app.bundle_id = known_charge.bundle_id
    ),
    version as (
        select
            orders.order_id, orders.bundle_id, orders.environment, orders.currency, orders.status, orders.price_milliunits,
            orders.created_at, orders.paid_at, orders.delivered_at
        from orders
        where orders.batch_id in (select known_batch.batch_id from known_batch)
        union all
        select
            order_versions.order_id, order_versions.bundle_id, order_versions.environment, order_versions.currency,
            order_versions.status, order_versions.price_milliunits, order_versions.created_at, order_versions.paid_at,
            order_versions.delivered_at
        from order_versions
        where order_versions.batch_id in (select known_batch.batch_id from known_batch)
            and order_versions.replaced_by_batch_id not in (select known_batch.batch_id from known_batch)
    ),
    held as materialized (
        select matches.order_id, matches.charge_id, matches.original_transaction_id, matches.confidence
        from matches
        where matches.valid_from <= (select payrecon.asked_at())
        union all
        select ended_matches.order_id, ended_matches.charge_id, ended_matches.original_transaction_id, ended_matches.confidence
        from ended_matches
        where ended_matches.valid_from <= (select payrecon.asked_at())
            and ended_matches.valid_to > (select payrecon.asked_at())
    ),
    -- Refused as the purchase was in the sandbox, and delivered all the same: somebody tests, or the goods are to be taken back.
    unpaid as materialized (
        select told.order_id
        from payrecon.refused_claims_at(payrecon.asked_at()) as told
        where told.class = 'SANDBOX_IN_PROD'
    ),
    booking as materialized (
        select
            version.order_id, version.bundle_id, version.environment, coalesce(version.currency, '') as currency,
            version.price_milliunits,
            version.status in ('paid', 'delivered', 'refunded', 'revoked')
            or version.paid_at is not null or version.delivered_at is not null as is_booked,
            unpaid.order_id is not null and payrecon.goods_are_out(version.status, version.delivered_at) as is_unpaid,
            charge.original_transaction_id, charge.charge_id, charge.kind, charge.currency as charge_currency,
            charge.price_milliunits as charge_price_milliunits,
            coalesce(app.business_day, (select (payrecon.asked_at() at time zone 'UTC')::date - 1)) as business_day,
            coalesce(charge.local_day, (version.created_at at time zone coalesce(app.zone, 'UTC'))::date) as local_day
        from version
        left join app on app.bundle_id = version.bundle_id
        left join held on held.order_id = version.order_id
        left join unpaid
            on unpaid.order_id = version.order_id
            and held.order_id is null
        left join charge
            on charge.original_transaction_id = held.original_transaction_id
            and charge.charge_id = held.charge_id
    ),
    -- How a matched pair of the Production moves money between the two books.
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
    -- Each line is asked for by its name below, so that pairs are not looked at for what no line of theirs tells.
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
    collapsed as materialized (
        select distinct on (break_events.break_id, break_events.as_of)
            break_events.break_id, break_events.as_of, break_events.family, break_events.class, break_events.is_open,
            break_events.bundle_id, break_events.environment, coalesce(break_events.currency, '') as currency,
            break_events.charge_id, break_events.order_id, break_events.amount_milliunits, break_events.opened_at
        from break_events
        where break_events.as_of <= (select payrecon.asked_at())
        order by break_events.break_id asc, break_events.as_of asc, break_events.attempt desc
    ),
    latest as materialized (
        select distinct on (collapsed.break_id) collapsed.*
        from collapsed
        order by collapsed.break_id asc, collapsed.as_of desc
    ),
    decided as materialized (
        select told.break_id from payrecon.decided_breaks_at(payrecon.asked_at()) as told where told.ended_at is null
    ),
    yesterday as (
        select distinct on (collapsed.break_id) collapsed.break_id, collapsed.is_open
        from collapsed
        where collapsed.as_of <= (select payrecon.asked_at()) - interval '1 day'
        order by collapsed.break_id asc, collapsed.as_of desc
    ),
    flip as (
        select
            collapsed.break_id, collapsed.as_of, collapsed.is_open,
            coalesce(lag(collapsed.is_open) over (partition by collapsed.break_id order by collapsed.as_of), false) as was_open
        from collapsed
    ),
    -- What the newest event of a break adds to the movement of breaks, and how often.
    standing as (
        select 'break_open' as measure, latest.break_id, 1::bigint as n
        from latest
        where latest.is_open
        union all
        -- Open and not decided by a person.
        select 'break_undecided', latest.break_id, 1
        from latest
        where latest.is_open
            and not exists (select 1 from decided where decided.break_id = latest.break_id)
        union all
        select 'break_decided', decided.break_id, 1
        from decided
        union all
        select case when yesterday.is_open and latest.is_open then 'break_persisting' else 'break_other' end, yesterday.break_id, 1
        from yesterday
        inner join latest on latest.break_id = yesterday.break_id
        union all
        select 'break_opening', yesterday.break_id, 1
        from yesterday
        where yesterday.is_open
        union all
        select case when flip.is_open then 'break_new' else 'break_resolved' end, flip.break_id, count(*)
        from flip
        where flip.as_of > (select payrecon.asked_at()) - interval '1 day'
            and flip.is_open <> flip.was_open
        group by flip.is_open, flip.break_id
    ),
    waiting as (
        select told.* from payrecon.pending_breaks_at(payrecon.asked_at()) as told
    ),
    -- Without order, from before the start date of its app, and no difference.
    history as materialized (
        select charge.charge_id
        from charge
        inner join payrecon.asked_starts() as started on started.bundle_id = charge.bundle_id
        where charge.kind = 'money'
            and charge.purchased_at < started.starts_at
            and not exists (select 1 from held where held.charge_id = charge.charge_id)
            and not exists (
                select 1
                from latest
                where latest.family = 'charge_open'
                    and latest.is_open
                    and latest.charge_id = charge.charge_id
            )
            and not exists (
                select 1
                from waiting
                where waiting.family = 'charge_open'
                    and waiting.charge_id = charge.charge_id
            )
    ),
    first_seen as (
        select transactions.original_transaction_id, transactions.charge_id
        from transactions
        inner join known_batch on known_batch.batch_id = transactions.batch_id
        group by transactions.original_transaction_id, transactions.charge_id
        having min(known_batch.known_at) > (select payrecon.asked_at()) - interval '1 day'
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
        -- What two people decided is told with what is derived.
        'matched', coalesce(nullif(held.confidence, 'decided'), 'derived'),
        charge.bundle_id, charge.environment, charge.currency, charge.local_day = charge.business_day, charge.local_day,
        charge.business_day, charge.original_transaction_id, charge.charge_id, held.order_id, null, null, 1,
        charge.price_milliunits
    from held
    inner join charge
        on charge.original_transaction_id = held.original_transaction_id
        and charge.charge_id = held.charge_id
    where charge.kind = 'money'
    union all
    select
        'refused', case when latest.class = 'AMBIGUOUS_MATCH' then 'ambiguous' else 'broken' end, charge.bundle_id,
        charge.environment, charge.currency, charge.local_day = charge.business_day, charge.local_day, charge.business_day,
        charge.original_transaction_id, charge.charge_id, null, latest.break_id, null, 1, charge.price_milliunits
    from latest
    inner join charge on charge.charge_id = latest.charge_id
    where latest.family = 'charge_open'
        and latest.is_open
    union all
    select
        'pending', null, charge.bundle_id, charge.environment, charge.currency, charge.local_day = charge.business_day,
        charge.local_day, charge.business_day, charge.original_transaction_id, charge.charge_id, null, waiting.break_id,
        waiting.breaks_at, 1, charge.price_milliunits
    from waiting
    inner join charge on charge.charge_id = waiting.charge_id
    where waiting.family = 'charge_open'
        and charge.kind = 'money'
    union all
    select
        'pending_all', null, waiting.bundle_id, waiting.environment, coalesce(waiting.currency, ''), null, null, null, null,
        waiting.charge_id, waiting.order_id, waiting.break_id, waiting.breaks_at, 1, null
    from waiting
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
            from held
            where held.original_transaction_id = charge.original_transaction_id
                and held.charge_id = charge.charge_id
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
        and not exists (select 1 from held where held.order_id = booking.order_id)
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
        and charge.revoked_at <= (select payrecon.asked_at())
        and charge.refunded_milliunits > 0
    union all
    select
        'refund_reversed', null, charge.bundle_id, charge.environment, charge.currency,
        (charge.reversed_at at time zone charge.zone)::date = charge.business_day,
        (charge.reversed_at at time zone charge.zone)::date, charge.business_day, charge.original_transaction_id,
        charge.charge_id, null, null, null, 1, charge.price_milliunits
    from charge
    where charge.kind = 'money'
        and charge.reversed_at <= (select payrecon.asked_at())
    union all
    select
        'late', null, charge.bundle_id, charge.environment, charge.currency, null, charge.local_day, charge.business_day,
        charge.original_transaction_id, charge.charge_id, null, null, null, 1, charge.price_milliunits
    from first_seen
    inner join charge
        on charge.original_transaction_id = first_seen.original_transaction_id
        and charge.charge_id = first_seen.charge_id
    where charge.kind = 'money'
        and charge.local_day < charge.business_day
    union all
    select
        standing.measure, null, latest.bundle_id, latest.environment, latest.currency, null, null, null, null,
        latest.charge_id, latest.order_id, latest.break_id, latest.opened_at, standing.n,
        payrecon.at_stake(latest.environment, latest.amount_milliunits)
    from standing
    inner join latest on latest.break_id = standing.break_id
$$;
