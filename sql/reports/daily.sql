-- purpose: the daily reconciliation summary: what Apple charged, what we booked, how they met, the bridge between them.
-- parameters: as_of (timestamptz), bundles (text[]), zones (text[]): our apps and the zone of each one's business day
-- grain:   one row per scope x bundle x environment x currency; scope `day` is the last complete local day before
--          as_of, `to_date` is everything known; break movement is over the 24 hours before as_of in both scopes
-- rules:   every measure is its own query over the facts, so that the identities of a row can fail; money of Production
--          only; a matched order counts on the day of its charge, so that a pair never falls into two days
with app as (
    select app.bundle_id, app.zone
    from unnest(:'bundles'::text[], :'zones'::text[]) as app (bundle_id, zone)
),
known_batch as (
    select batch_id, known_at from batches where known_at <= :'as_of'::timestamptz
),
charge as materialized (
    select
        charges.original_transaction_id, charges.charge_id, charges.bundle_id, charges.environment,
        coalesce(charges.currency, '') as currency, charges.price_milliunits, charges.refunded_milliunits,
        charges.revoked_at, charges.reversed_at, charges.purchased_at,
        case
            when charges.environment <> 'Production' then 'sandbox'
            when charges.state = 'family' then 'family'
            when charges.state = 'free' then 'zero_price'
            else 'money'
        end as kind,
        coalesce(app.zone, 'UTC') as zone,
        (:'as_of'::timestamptz at time zone coalesce(app.zone, 'UTC'))::date - 1 as business_day,
        (charges.purchased_at at time zone coalesce(app.zone, 'UTC'))::date as local_day
    from charges
    left join app on app.bundle_id = charges.bundle_id
    where charges.batch_id in (select batch_id from known_batch)
),
version as (
    select order_id, bundle_id, environment, currency, status, price_milliunits, created_at, paid_at, delivered_at
    from orders
    where batch_id in (select batch_id from known_batch)
    union all
    select order_id, bundle_id, environment, currency, status, price_milliunits, created_at, paid_at, delivered_at
    from order_versions
    where batch_id in (select batch_id from known_batch)
        and replaced_by_batch_id not in (select batch_id from known_batch)
),
held as materialized (
    select order_id, charge_id, original_transaction_id, rung
    from matches
    where valid_from <= :'as_of'::timestamptz
    union all
    select order_id, charge_id, original_transaction_id, rung
    from ended_matches
    where valid_from <= :'as_of'::timestamptz
        and valid_to > :'as_of'::timestamptz
),
booking as materialized (
    select
        version.order_id, version.bundle_id, version.environment, coalesce(version.currency, '') as currency,
        version.price_milliunits,
        version.status in ('paid', 'delivered', 'refunded', 'revoked')
        or version.paid_at is not null or version.delivered_at is not null as is_booked,
        charge.charge_id, charge.kind, charge.currency as charge_currency,
        charge.price_milliunits as charge_price_milliunits,
        coalesce(charge.local_day, (version.created_at at time zone coalesce(app.zone, 'UTC'))::date)
        = (:'as_of'::timestamptz at time zone coalesce(app.zone, 'UTC'))::date - 1 as is_day
    from version
    left join app on app.bundle_id = version.bundle_id
    left join held on held.order_id = version.order_id
    left join charge
        on charge.original_transaction_id = held.original_transaction_id
        and charge.charge_id = held.charge_id
),
-- How a matched pair of the Production moves money between the two books.
pair_line as (
    select
        bundle_id, environment, currency, charge_currency, is_day, price_milliunits, charge_price_milliunits,
        case
            when kind <> 'money' and not is_booked then 'none'
            when kind <> 'money' then 'not_charged'
            when not is_booked then 'not_booked'
            when price_milliunits is null or charge_price_milliunits is null or currency = '' or charge_currency = ''
                then 'unpriced'
            when currency <> charge_currency then 'currency_diff'
            else 'amount_diff'
        end as line
    from booking
    where charge_id is not null
        and environment = 'Production'
),
collapsed as materialized (
    select distinct on (break_id, as_of)
        break_id, as_of, family, is_open, bundle_id, environment, currency, charge_id, amount_milliunits, opened_at
    from break_events
    where as_of <= :'as_of'::timestamptz
    order by break_id asc, as_of asc, attempt desc
),
latest as materialized (
    select distinct on (break_id) *
    from collapsed
    order by break_id asc, as_of desc
),
decided as materialized (
    select break_id from decided_breaks_at(:'as_of'::timestamptz) where ended_at is null
),
yesterday as (
    select distinct on (break_id) break_id, is_open
    from collapsed
    where as_of <= :'as_of'::timestamptz - interval '1 day'
    order by break_id asc, as_of desc
),
-- Open and not decided by a person.
undecided as materialized (
    select latest.*
    from latest
    where latest.is_open
        and not exists (select 1 from decided where decided.break_id = latest.break_id)
),
flip as (
    select
        break_id, as_of, is_open,
        coalesce(lag(is_open) over (partition by break_id order by as_of), false) as was_open
    from collapsed
),
waiting as (
    select family, charge_id, bundle_id, environment, currency, breaks_at
    from pending_breaks_at(:'as_of'::timestamptz)
),
first_seen as (
    select transactions.original_transaction_id, transactions.charge_id, min(known_batch.known_at) as known_at
    from transactions
    inner join known_batch on known_batch.batch_id = transactions.batch_id
    group by transactions.original_transaction_id, transactions.charge_id
    having min(known_batch.known_at) > :'as_of'::timestamptz - interval '1 day'
),
-- is_day null: the measure belongs to both scopes.
measure as (
    select
        'tx' as name, bundle_id, environment, currency, local_day = business_day as is_day, count(*) as n,
        sum(price_milliunits) filter (where kind = 'money') as amount
    from charge
    group by bundle_id, environment, currency, local_day = business_day
    union all
    select kind, bundle_id, environment, currency, local_day = business_day, count(*), null
    from charge
    where kind <> 'money'
    group by kind, bundle_id, environment, currency, local_day = business_day
    union all
    select
        case when held.rung in ('M1', 'M2') then 'exact' when held.rung = 'M6' then 'heuristic' else 'derived' end,
        charge.bundle_id, charge.environment, charge.currency, charge.local_day = charge.business_day, count(*),
        sum(charge.price_milliunits)
    from held
    inner join charge
        on charge.original_transaction_id = held.original_transaction_id
        and charge.charge_id = held.charge_id
    where charge.kind = 'money'
    group by 1, 2, 3, 4, 5
    union all
    select
        case when break_events.class = 'AMBIGUOUS_MATCH' then 'ambiguous' else 'broken' end,
        charge.bundle_id, charge.environment, charge.currency, charge.local_day = charge.business_day, count(*),
        sum(charge.price_milliunits)
    from (
        select distinct on (break_id) break_id, class, family, charge_id, is_open
        from break_events
        where as_of <= :'as_of'::timestamptz
            and family = 'charge_open'
        order by break_id asc, as_of desc, attempt desc
    ) as break_events
    inner join charge on charge.charge_id = break_events.charge_id
    where break_events.is_open
    group by 1, 2, 3, 4, 5
    union all
    select
        'pending', charge.bundle_id, charge.environment, charge.currency, charge.local_day = charge.business_day,
        count(*), sum(charge.price_milliunits)
    from waiting
    inner join charge on charge.charge_id = waiting.charge_id
    where waiting.family = 'charge_open'
        and charge.kind = 'money'
    group by 2, 3, 4, 5
    union all
    select 'pending_all', bundle_id, environment, coalesce(currency, ''), null, count(*), null
    from waiting
    group by bundle_id, environment, coalesce(currency, '')
    union all
    select 'order', bundle_id, environment, currency, is_day, count(*), sum(price_milliunits)
    from booking
    where is_booked
        and environment = 'Production'
    group by bundle_id, environment, currency, is_day
    union all
    select
        'open_tx', bundle_id, environment, currency, local_day = business_day, count(*), sum(price_milliunits)
    from charge
    where kind = 'money'
        and not exists (
            select 1
            from held
            where held.original_transaction_id = charge.original_transaction_id
                and held.charge_id = charge.charge_id
        )
    group by bundle_id, environment, currency, local_day = business_day
    union all
    select 'open_order', bundle_id, environment, currency, is_day, count(*), sum(price_milliunits)
    from booking
    where is_booked
        and environment = 'Production'
        and not exists (select 1 from held where held.order_id = booking.order_id)
    group by bundle_id, environment, currency, is_day
    union all
    select
        line, bundle_id, environment, charge_currency, is_day,
        count(*) filter (where line <> 'amount_diff' or price_milliunits <> charge_price_milliunits),
        sum(
            case
                when line = 'amount_diff' then charge_price_milliunits - price_milliunits
                else charge_price_milliunits
            end
        )
    from pair_line
    where line in ('amount_diff', 'currency_diff', 'unpriced', 'not_booked')
    group by line, bundle_id, environment, charge_currency, is_day
    union all
    select line, bundle_id, environment, currency, is_day, count(*), -sum(price_milliunits)
    from pair_line
    where line in ('currency_diff', 'unpriced', 'not_charged')
    group by line, bundle_id, environment, currency, is_day
    union all
    select
        'refund', bundle_id, environment, currency, (revoked_at at time zone zone)::date = business_day, count(*),
        sum(refunded_milliunits)
    from charge
    where kind = 'money'
        and revoked_at <= :'as_of'::timestamptz
        and refunded_milliunits > 0
    group by bundle_id, environment, currency, (revoked_at at time zone zone)::date = business_day
    union all
    select
        'refund_reversed', bundle_id, environment, currency, (reversed_at at time zone zone)::date = business_day,
        count(*), sum(price_milliunits)
    from charge
    where kind = 'money'
        and reversed_at <= :'as_of'::timestamptz
    group by bundle_id, environment, currency, (reversed_at at time zone zone)::date = business_day
    union all
    select 'late', charge.bundle_id, charge.environment, charge.currency, null, count(*), sum(charge.price_milliunits)
    from first_seen
    inner join charge
        on charge.original_transaction_id = first_seen.original_transaction_id
        and charge.charge_id = first_seen.charge_id
    where charge.kind = 'money'
        and charge.local_day < charge.business_day
    group by charge.bundle_id, charge.environment, charge.currency
    union all
    select
        'break_open', bundle_id, environment, coalesce(currency, ''), null, count(*),
        sum(amount_milliunits) filter (where environment = 'Production')
    from latest
    where is_open
    group by bundle_id, environment, coalesce(currency, '')
    union all
    select
        'break_undecided', bundle_id, environment, coalesce(currency, ''), null, count(*),
        sum(amount_milliunits) filter (where environment = 'Production')
    from undecided
    group by bundle_id, environment, coalesce(currency, '')
    union all
    select
        'break_decided', latest.bundle_id, latest.environment, coalesce(latest.currency, ''), null, count(*),
        sum(latest.amount_milliunits) filter (where latest.environment = 'Production')
    from decided
    inner join latest on latest.break_id = decided.break_id
    group by latest.bundle_id, latest.environment, coalesce(latest.currency, '')
    union all
    select
        case when yesterday.is_open and latest.is_open then 'break_persisting' else 'break_other' end,
        latest.bundle_id, latest.environment, coalesce(latest.currency, ''), null, count(*), null
    from latest
    inner join yesterday on yesterday.break_id = latest.break_id
    group by 1, 2, 3, 4
    union all
    select
        'break_opening', latest.bundle_id, latest.environment, coalesce(latest.currency, ''), null, count(*), null
    from yesterday
    inner join latest on latest.break_id = yesterday.break_id
    where yesterday.is_open
    group by 2, 3, 4
    union all
    select
        case when flip.is_open then 'break_new' else 'break_resolved' end,
        latest.bundle_id, latest.environment, coalesce(latest.currency, ''), null, count(*), null
    from flip
    inner join latest on latest.break_id = flip.break_id
    where flip.as_of > :'as_of'::timestamptz - interval '1 day'
        and flip.is_open <> flip.was_open
    group by 1, 2, 3, 4
),
oldest as (
    select
        bundle_id, environment, coalesce(currency, '') as currency,
        greatest(0, floor(extract(epoch from :'as_of'::timestamptz - min(opened_at)) / 86400))::bigint as days
    from undecided
    group by bundle_id, environment, coalesce(currency, '')
),
next_pending as (
    select bundle_id, environment, coalesce(currency, '') as currency, min(breaks_at) as breaks_at
    from waiting
    group by bundle_id, environment, coalesce(currency, '')
),
day_rate as (
    select
        charge.bundle_id, charge.environment, charge.currency, charge.local_day,
        10000 * count(held.charge_id) / count(*) as rate_bp
    from charge
    left join held
        on held.original_transaction_id = charge.original_transaction_id
        and held.charge_id = charge.charge_id
    where charge.kind = 'money'
        and charge.local_day between charge.business_day - 28 and charge.business_day - 1
    group by charge.bundle_id, charge.environment, charge.currency, charge.local_day
),
usual_rate as (
    select
        bundle_id, environment, currency,
        percentile_disc(0.5) within group (order by rate_bp) as rate_bp
    from day_rate
    group by bundle_id, environment, currency
),
slice as (
    select
        scope.name as scope,
        coalesce(measure.bundle_id, '') as bundle_id,
        coalesce(measure.environment, '') as environment,
        measure.currency,
        measure.name, measure.n, measure.amount,
        scope.name = 'to_date' or coalesce(measure.is_day, true) as counts
    from measure
    cross join (values ('day'), ('to_date')) as scope (name)
),
total as (
    select
        scope, bundle_id, environment, currency,
        coalesce(sum(n) filter (where name = 'tx' and counts), 0)::bigint as tx_count,
        coalesce(sum(amount) filter (where name = 'tx' and counts), 0)
            as tx_amount_milliunits,
        coalesce(sum(n) filter (where name = 'order' and counts), 0)::bigint as order_count,
        coalesce(sum(amount) filter (where name = 'order' and counts), 0)
            as order_amount_milliunits,
        coalesce(sum(n) filter (where name = 'exact' and counts), 0)::bigint as exact_count,
        coalesce(sum(amount) filter (where name = 'exact' and counts), 0)
            as exact_amount_milliunits,
        coalesce(sum(n) filter (where name = 'derived' and counts), 0)::bigint as derived_count,
        coalesce(sum(amount) filter (where name = 'derived' and counts), 0)
            as derived_amount_milliunits,
        coalesce(sum(n) filter (where name = 'heuristic' and counts), 0)::bigint as heuristic_count,
        coalesce(sum(amount) filter (where name = 'heuristic' and counts), 0)
            as heuristic_amount_milliunits,
        coalesce(sum(n) filter (where name = 'ambiguous' and counts), 0)::bigint as ambiguous_count,
        coalesce(sum(amount) filter (where name = 'ambiguous' and counts), 0)
            as ambiguous_amount_milliunits,
        coalesce(sum(n) filter (where name = 'pending' and counts), 0)::bigint as pending_count,
        coalesce(sum(amount) filter (where name = 'pending' and counts), 0)
            as pending_amount_milliunits,
        coalesce(sum(n) filter (where name = 'pending_all' and counts), 0)::bigint as pending_all_count,
        coalesce(sum(n) filter (where name = 'broken' and counts), 0)::bigint as broken_count,
        coalesce(sum(amount) filter (where name = 'broken' and counts), 0)
            as broken_amount_milliunits,
        coalesce(sum(n) filter (where name = 'sandbox' and counts), 0)::bigint as sandbox_count,
        coalesce(sum(n) filter (where name = 'family' and counts), 0)::bigint as family_count,
        coalesce(sum(n) filter (where name = 'zero_price' and counts), 0)::bigint as zero_price_count,
        coalesce(sum(n) filter (where name = 'break_opening' and counts), 0)::bigint as break_opening_count,
        coalesce(sum(n) filter (where name = 'break_new' and counts), 0)::bigint as break_new_count,
        coalesce(sum(n) filter (where name = 'break_persisting' and counts), 0)::bigint as break_persisting_count,
        coalesce(sum(n) filter (where name = 'break_resolved' and counts), 0)::bigint as break_resolved_count,
        coalesce(sum(n) filter (where name = 'break_open' and counts), 0)::bigint as break_open_count,
        coalesce(sum(amount) filter (where name = 'break_open' and counts), 0)
            as break_open_amount_milliunits,
        coalesce(sum(n) filter (where name = 'break_undecided' and counts), 0)::bigint as break_undecided_count,
        coalesce(sum(n) filter (where name = 'break_decided' and counts), 0)::bigint as break_decided_count,
        coalesce(sum(amount) filter (where name = 'break_decided' and counts), 0)
            as break_decided_amount_milliunits,
        coalesce(sum(n) filter (where name = 'refund' and counts), 0)::bigint as refund_count,
        coalesce(sum(amount) filter (where name = 'refund' and counts), 0)
            as refund_amount_milliunits,
        coalesce(sum(n) filter (where name = 'refund_reversed' and counts), 0)::bigint as refund_reversed_count,
        coalesce(sum(amount) filter (where name = 'refund_reversed' and counts), 0)
            as refund_reversed_amount_milliunits,
        coalesce(sum(n) filter (where name = 'late' and counts), 0)::bigint as late_count,
        coalesce(sum(amount) filter (where name = 'late' and counts), 0)
            as late_amount_milliunits,
        coalesce(sum(n) filter (where name = 'open_tx' and counts), 0)::bigint as open_tx_count,
        coalesce(sum(amount) filter (where name = 'open_tx' and counts), 0)
            as open_tx_amount_milliunits,
        coalesce(sum(n) filter (where name = 'open_order' and counts), 0)::bigint as open_order_count,
        coalesce(sum(amount) filter (where name = 'open_order' and counts), 0)
            as open_order_amount_milliunits,
        coalesce(sum(amount) filter (where name = 'not_booked' and counts), 0)
            as not_booked_amount_milliunits,
        coalesce(sum(amount) filter (where name = 'not_charged' and counts), 0)
            as not_charged_amount_milliunits,
        coalesce(sum(n) filter (where name = 'amount_diff' and counts), 0)::bigint as amount_diff_count,
        coalesce(sum(amount) filter (where name = 'amount_diff' and counts), 0)
            as amount_diff_amount_milliunits,
        coalesce(sum(amount) filter (where name = 'currency_diff' and counts), 0)
            as currency_diff_amount_milliunits,
        coalesce(sum(amount) filter (where name = 'unpriced' and counts), 0)
            as unpriced_amount_milliunits
    from slice
    group by scope, bundle_id, environment, currency
)
select
    total.scope,
    to_char(
        (:'as_of'::timestamptz at time zone coalesce(app.zone, 'UTC'))::date - 1, 'YYYY-MM-DD'
    ) as business_day,
    coalesce(app.zone, 'UTC') as tz,
    nullif(total.bundle_id, '') as bundle_id,
    nullif(total.environment, '') as environment,
    nullif(total.currency, '') as currency,
    total.tx_count, total.tx_amount_milliunits, total.order_count, total.order_amount_milliunits,
    total.exact_count as matched_exact_count, total.exact_amount_milliunits as matched_exact_amount_milliunits,
    total.derived_count as matched_derived_count, total.derived_amount_milliunits as matched_derived_amount_milliunits,
    total.heuristic_count as matched_heuristic_count,
    total.heuristic_amount_milliunits as matched_heuristic_amount_milliunits,
    total.ambiguous_count, total.ambiguous_amount_milliunits, total.pending_count, total.pending_amount_milliunits,
    total.pending_all_count as pending_of_all_families_count, rfc3339(next_pending.breaks_at) as next_pending_breaks_at,
    total.broken_count, total.broken_amount_milliunits,
    total.sandbox_count + total.family_count + total.zero_price_count as excluded_count,
    total.sandbox_count, total.family_count, total.zero_price_count,
    total.break_opening_count, total.break_new_count, total.break_persisting_count, total.break_resolved_count,
    total.break_open_count, total.break_open_amount_milliunits, oldest.days as oldest_break_days,
    total.break_undecided_count, total.break_decided_count, total.break_decided_amount_milliunits,
    total.refund_count, total.refund_amount_milliunits, total.refund_reversed_count,
    total.refund_reversed_amount_milliunits, total.late_count as late_arrivals_count,
    total.late_amount_milliunits as late_arrivals_amount_milliunits,
    total.order_amount_milliunits as bridge_book_milliunits,
    total.open_tx_count as bridge_open_tx_count,
    total.open_tx_amount_milliunits as bridge_plus_open_tx_milliunits,
    total.open_order_count as bridge_open_orders_count,
    total.open_order_amount_milliunits as bridge_minus_open_orders_milliunits,
    total.not_booked_amount_milliunits as bridge_plus_not_booked_milliunits,
    total.not_charged_amount_milliunits as bridge_not_charged_milliunits,
    total.amount_diff_count as bridge_amount_diff_count,
    total.amount_diff_amount_milliunits as bridge_amount_diff_milliunits,
    total.currency_diff_amount_milliunits as bridge_currency_diff_milliunits,
    total.unpriced_amount_milliunits as bridge_unpriced_milliunits,
    total.tx_amount_milliunits - (
        total.order_amount_milliunits + total.open_tx_amount_milliunits - total.open_order_amount_milliunits
        + total.not_booked_amount_milliunits + total.not_charged_amount_milliunits
        + total.amount_diff_amount_milliunits + total.currency_diff_amount_milliunits
        + total.unpriced_amount_milliunits
    ) as bridge_unexplained_milliunits,
    total.tx_amount_milliunits as bridge_apple_milliunits,
    10000 * (total.exact_count + total.derived_count + total.heuristic_count)
    / nullif(total.tx_count - total.sandbox_count - total.family_count - total.zero_price_count, 0)
        as match_rate_count_bp,
    floor(
        10000::numeric * (
            total.exact_amount_milliunits + total.derived_amount_milliunits + total.heuristic_amount_milliunits
        ) / nullif(total.tx_amount_milliunits, 0)
    )::bigint as match_rate_amount_bp,
    usual_rate.rate_bp as match_rate_p50_28d_bp
from total
left join app on app.bundle_id = total.bundle_id
left join oldest
    on coalesce(oldest.bundle_id, '') = total.bundle_id
    and coalesce(oldest.environment, '') = total.environment
    and oldest.currency = total.currency
left join next_pending
    on coalesce(next_pending.bundle_id, '') = total.bundle_id
    and coalesce(next_pending.environment, '') = total.environment
    and next_pending.currency = total.currency
left join usual_rate
    on usual_rate.bundle_id = total.bundle_id
    and usual_rate.environment = total.environment
    and usual_rate.currency = total.currency
order by total.scope, total.bundle_id, total.environment, total.currency;
