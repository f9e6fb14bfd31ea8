-- purpose: Returns the refunds and reversals of each charge: a refund on the day of its revocation, a reversal on the day of
--          the first transaction signed without it. Table names are unqualified, so that it reads the present or the
--          transaction's past clock.
-- grain:   one row per refund, and one per reversal of a refund
-- rules:   statements are ordered by signature; consecutive ones with a revocation are one refund, with the content of the
--          newest. standing_milliunits is the refunded amount from the step on, computed from Apple's statements and not
--          from the charge; known_at is when the step was first known.
create or replace function payrecon.refund_steps() returns table (
    original_transaction_id text, charge_id text, step bigint, is_refund boolean, at timestamptz, known_at timestamptz,
    standing_milliunits bigint
)
language sql stable parallel safe
as $$
    with charge as materialized (
        select charges.*
        from charges
        where charges.environment = 'Production'
            and (charges.revoked_at is not null or charges.reversed_at is not null)
            and payrecon.has_money(charges.state, charges.price_milliunits)
    ),
    entry as materialized (
        select
            charge.original_transaction_id, charge.charge_id, transactions.revoked_at, transactions.revocation_percentage,
            transactions.items_refunded_milliunits, transactions.stated_in, transactions.signed_at, transactions.evidence_sha256,
            transactions.batch_id,
            transactions.revoked_at is not null as is_refund,
            bool_or(transactions.is_upgraded) over (partition by charge.charge_id) as was_upgraded
        from charge
        inner join transactions on transactions.original_transaction_id = charge.original_transaction_id
        where transactions.transaction_id = any(charge.transaction_ids)
            and transactions.bundle_id = charge.bundle_id
            and transactions.environment = 'Production'
    ),
    -- Only statements that can report a refund: on a receipt the cancellation of an upgraded term is the upgrade, and a
    -- missing one means nothing.
    statement as (
        select
            entry.*, batches.known_at,
            entry.is_refund is distinct from lag(entry.is_refund) over signed as is_turn
        from entry
        inner join payrecon.batches on batches.batch_id = entry.batch_id
        where entry.stated_in = 'transaction' or (entry.is_refund and not entry.was_upgraded)
        window signed as (partition by entry.charge_id order by entry.signed_at, entry.is_refund, entry.evidence_sha256)
    ),
    numbered as (
        select statement.*, count(*) filter (where statement.is_turn) over signed as step
        from statement
        window signed as (
            partition by statement.charge_id
            order by statement.signed_at, statement.is_refund, statement.evidence_sha256
            rows between unbounded preceding and current row
        )
    ),
    -- The amount belongs to one refund: that of the step's newest signed transaction.
    newest as (
        select distinct on (numbered.charge_id, numbered.step) numbered.charge_id, numbered.step, numbered.revoked_at
        from numbered
        where numbered.stated_in = 'transaction'
        order by numbered.charge_id asc, numbered.step asc, numbered.signed_at desc, numbered.evidence_sha256 desc
    ),
    gathered as (
        select
            numbered.original_transaction_id, numbered.charge_id, numbered.step, numbered.is_refund,
            min(numbered.known_at) as known_at, min(numbered.signed_at) as signed_at,
            (array_agg(numbered.revoked_at order by numbered.signed_at desc, numbered.evidence_sha256 desc))[1] as revoked_at,
            (
                array_agg(numbered.revocation_percentage order by numbered.signed_at desc, numbered.evidence_sha256 desc)
                filter (where numbered.revocation_percentage is not null and numbered.revoked_at = newest.revoked_at)
            )[1] as percentage,
            (
                array_agg(numbered.items_refunded_milliunits order by numbered.signed_at desc, numbered.evidence_sha256 desc)
                filter (where numbered.items_refunded_milliunits is not null and numbered.revoked_at = newest.revoked_at)
            )[1] as items_milliunits
        from numbered
        left join newest using (charge_id, step)
        group by numbered.original_transaction_id, numbered.charge_id, numbered.step, numbered.is_refund
    ),
    -- A statement before the first refund is no reversal.
    stepped as (
        select
            gathered.*, bool_or(gathered.is_refund) over earlier as is_after_refund,
            max(gathered.known_at) filter (where gathered.is_refund or gathered.step > 1) over earlier as first_known_at
        from gathered
        window earlier as (
            partition by gathered.charge_id
            order by gathered.step
            rows between unbounded preceding and current row
        )
    )
    select
        stepped.original_transaction_id, stepped.charge_id, stepped.step, stepped.is_refund,
        greatest(case when stepped.is_refund then stepped.revoked_at else stepped.signed_at end, charge.purchased_at),
        stepped.first_known_at,
        case
            when not stepped.is_refund then 0
            else payrecon.refunded_milliunits(
                charge.price_milliunits, stepped.percentage, charge.currency, stepped.items_milliunits
            )
        end
    from stepped
    inner join charge on charge.charge_id = stepped.charge_id
    where stepped.is_after_refund
$$;

-- purpose: Returns the same steps as movements of money, with the days and periods of all reports.
-- grain:   one row per scope (calendar: the app's days and months; fiscal: the storefront's days and Apple's periods) and
--          step
create or replace function payrecon.refund_moves() returns table (
    scope text, period text, currency text, is_refund boolean, milliunits bigint, is_complete boolean, charge_id text,
    original_transaction_id text, at timestamptz
)
language sql stable parallel safe
as $$
    with moved as materialized (
        select
            entry.charge_id, entry.original_transaction_id, entry.is_refund, entry.at,
            abs(
                entry.standing_milliunits - coalesce(
                    lag(entry.standing_milliunits) over (partition by entry.charge_id order by entry.step), 0
                )
            ) as milliunits
        from payrecon.refund_steps() as entry
    )
    select
        scope.name,
        case scope.name
            when 'calendar' then to_char(dated.day, 'YYYY-MM') else coalesce(payrecon.fiscal_period_of(dated.day), '')
        end,
        coalesce(charges.currency, ''), moved.is_refund, coalesce(moved.milliunits, 0), dated.day < dated.today, moved.charge_id,
        moved.original_transaction_id, moved.at
    from moved
    inner join charges using (original_transaction_id, charge_id)
    left join payrecon.viewed_apps() as app on app.bundle_id = charges.bundle_id
    left join payrecon.day_zones() as place on place.storefront = coalesce(charges.storefront, '')
    cross join lateral (
        values ('calendar', coalesce(app.zone, 'UTC')), ('fiscal', coalesce(place.zone, 'UTC'))
    ) as scope (name, zone)
    cross join lateral (
        select (moved.at at time zone scope.zone)::date as day, (payrecon.viewed_at() at time zone scope.zone)::date as today
    ) as dated
    where moved.at <= (select payrecon.viewed_at())
$$;
