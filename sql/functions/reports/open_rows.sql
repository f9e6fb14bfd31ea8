-- purpose: Returns the rows of the daily summary that depend on its clock: open and pending differences, late arrivals, and
--          movements of breaks in the 24 hours before the clock.
-- grain:   one row per measure and charge or break; is_day is null for a measure that belongs to both scopes; at is when a break
--          opened or a difference becomes one
create or replace function payrecon.open_rows() returns table (
    measure text, part text, bundle_id text, environment text, currency text, is_day boolean, day date, business_day date,
    original_transaction_id text, charge_id text, order_id text, break_id text, at timestamptz, n bigint, amount bigint
)
language sql stable parallel safe
as $$
    with collapsed as materialized (
        select distinct on (break_events.break_id, break_events.as_of)
            break_events.break_id, break_events.as_of, break_events.family, break_events.class, break_events.is_open,
            break_events.bundle_id, break_events.environment, coalesce(break_events.currency, '') as currency,
            break_events.charge_id, break_events.order_id, break_events.amount_milliunits, break_events.opened_at
        from break_events
        where break_events.as_of <= (select payrecon.viewed_at())
        order by break_events.break_id asc, break_events.as_of asc, break_events.attempt desc
    ),
    latest as materialized (
        select distinct on (collapsed.break_id) collapsed.*
        from collapsed
        order by collapsed.break_id asc, collapsed.as_of desc
    ),
    decided as materialized (
        select entry.break_id from payrecon.decided_breaks_at(payrecon.viewed_at()) as entry where entry.ended_at is null
    ),
    yesterday as (
        select distinct on (collapsed.break_id) collapsed.break_id, collapsed.is_open
        from collapsed
        where collapsed.as_of <= (select payrecon.viewed_at()) - interval '1 day'
        order by collapsed.break_id asc, collapsed.as_of desc
    ),
    flip as (
        select
            collapsed.break_id, collapsed.as_of, collapsed.is_open,
            coalesce(lag(collapsed.is_open) over (partition by collapsed.break_id order by collapsed.as_of), false) as was_open
        from collapsed
    ),
    -- The contribution of a break's newest event to the movement of breaks.
    contribution as (
        select 'break_open' as measure, latest.break_id, 1::bigint as n
        from latest
        where latest.is_open
        union all
        -- Open and undecided.
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
        where flip.as_of > (select payrecon.viewed_at()) - interval '1 day'
            and flip.is_open <> flip.was_open
        group by flip.is_open, flip.break_id
    ),
    waiting as (select entry.* from payrecon.pending_breaks_at(payrecon.viewed_at()) as entry)
    select
        'refused', case when latest.class = 'AMBIGUOUS_MATCH' then 'ambiguous' else 'broken' end, charge.bundle_id,
        charge.environment, charge.currency, charge.local_day = charge.business_day, charge.local_day, charge.business_day,
        charge.original_transaction_id, charge.charge_id, null::text, latest.break_id, null::timestamptz, 1::bigint, charge.price_milliunits
    from latest
    inner join payrecon.dated_charges() as charge on charge.charge_id = latest.charge_id
    where latest.family = 'charge_open'
        and latest.is_open
        and charge.charge_id = any(array(
            select named.charge_id from latest as named where named.family = 'charge_open' and named.is_open
        ))
    union all
    select
        'pending', null, charge.bundle_id, charge.environment, charge.currency, charge.local_day = charge.business_day,
        charge.local_day, charge.business_day, charge.original_transaction_id, charge.charge_id, null, waiting.break_id,
        waiting.breaks_at, 1, charge.price_milliunits
    from waiting
    inner join payrecon.dated_charges() as charge on charge.charge_id = waiting.charge_id
    where waiting.family = 'charge_open'
        and charge.kind = 'money'
        and charge.charge_id = any(array(select named.charge_id from waiting as named where named.family = 'charge_open'))
    union all
    select
        'pending_all', null, waiting.bundle_id, waiting.environment, coalesce(waiting.currency, ''), null, null, null, null,
        waiting.charge_id, waiting.order_id, waiting.break_id, waiting.breaks_at, 1, null
    from waiting
    union all
    select
        'late', null, late.bundle_id, late.environment, late.currency, null, late.local_day, late.business_day,
        late.original_transaction_id, late.charge_id, null, null, null, 1, late.price_milliunits
    from payrecon.late_charges() as late
    union all
    select
        contribution.measure, null, latest.bundle_id, latest.environment, latest.currency, null, null, null, null,
        latest.charge_id, latest.order_id, latest.break_id, latest.opened_at, contribution.n,
        payrecon.at_stake(latest.environment, latest.amount_milliunits)
    from contribution
    inner join latest on latest.break_id = contribution.break_id
$$;
