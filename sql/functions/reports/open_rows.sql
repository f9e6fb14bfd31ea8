-- purpose: Returns the rows of the daily summary that depend on its clock: open and pending differences, late arrivals, and
--          movements of breaks in the 24 hours before the clock.
-- grain:   one row per measure and charge or break; is_day is null for a measure that belongs to both scopes; at is when a break
--          opened or a difference becomes one
create or replace function payrecon.open_rows() returns table (
    measure text, part text, bundle_id text, environment text, currency text, is_day boolean, day date, business_day date,
    charge_id text, order_id text, n bigint, amount bigint, break_id text, at timestamptz
)
language sql stable parallel safe
as $$
    with event as materialized (
        select
            break_id, as_of, family, class, is_open, bundle_id, environment, coalesce(currency, '') as currency, charge_id, order_id,
            amount_milliunits, opened_at
        from payrecon.viewed_break_events()
    ),
    latest as materialized (
        select distinct on (break_id) event.*
        from event
        order by break_id asc, as_of desc
    ),
    decided as materialized (
        select break_id from payrecon.decided_breaks_at(payrecon.viewed_at()) as entry where ended_at is null
    ),
    yesterday as (
        select distinct on (break_id) break_id, is_open
        from event
        where as_of <= (select payrecon.viewed_at()) - interval '1 day'
        order by break_id asc, as_of desc
    ),
    flip as (
        select
            break_id, as_of, is_open, coalesce(lag(is_open) over (partition by break_id order by as_of), false) as was_open
        from event
    ),
    -- The contribution of a break's newest event to the movement of breaks.
    contribution as (
        select 'break_open' as measure, break_id, 1::bigint as n
        from latest
        where is_open
        union all
        -- Open and undecided.
        select 'break_undecided', break_id, 1
        from latest
        where is_open
            and not exists (select 1 from decided where decided.break_id = latest.break_id)
        union all
        select 'break_decided', break_id, 1
        from decided
        union all
        select case when yesterday.is_open and latest.is_open then 'break_persisting' else 'break_other' end, yesterday.break_id, 1
        from yesterday
        inner join latest on latest.break_id = yesterday.break_id
        union all
        select 'break_opening', break_id, 1
        from yesterday
        where is_open
        union all
        select case when is_open then 'break_new' else 'break_resolved' end, break_id, count(*)
        from flip
        where as_of > (select payrecon.viewed_at()) - interval '1 day'
            and is_open <> was_open
        group by is_open, break_id
    ),
    pending as (select entry.* from payrecon.pending_breaks_at(payrecon.viewed_at()) as entry)
    select
        'refused', case when latest.class = 'AMBIGUOUS_MATCH' then 'ambiguous' else 'broken' end, charge.bundle_id,
        charge.environment, charge.currency, charge.local_day = charge.business_day, charge.local_day, charge.business_day,
        charge.charge_id, null::text, 1::bigint, charge.price_milliunits, latest.break_id, null::timestamptz
    from latest
    inner join payrecon.dated_charges() as charge on charge.charge_id = latest.charge_id
    where latest.family = 'charge_open'
        and latest.is_open
        and charge.charge_id = any(array(select charge_id from latest where family = 'charge_open' and is_open))
    union all
    select
        'pending', null, charge.bundle_id, charge.environment, charge.currency, charge.local_day = charge.business_day,
        charge.local_day, charge.business_day, charge.charge_id, null, 1, charge.price_milliunits, pending.break_id,
        pending.breaks_at
    from pending
    inner join payrecon.dated_charges() as charge on charge.charge_id = pending.charge_id
    where pending.family = 'charge_open'
        and charge.kind = 'money'
        and charge.charge_id = any(array(select charge_id from pending where family = 'charge_open'))
    union all
    select
        'pending_all', null, bundle_id, environment, coalesce(currency, ''), null, null, null, charge_id, order_id, 1, null, break_id,
        breaks_at
    from pending
    union all
    select
        'late', null, bundle_id, environment, currency, null, local_day, business_day, charge_id, null, 1, price_milliunits, null, null
    from payrecon.late_charges() as late
    union all
    select
        contribution.measure, null, latest.bundle_id, latest.environment, latest.currency, null, null, null, latest.charge_id,
        latest.order_id, contribution.n, payrecon.at_stake(latest.environment, latest.amount_milliunits), latest.break_id,
        latest.opened_at
    from contribution
    inner join latest on latest.break_id = contribution.break_id
$$;
