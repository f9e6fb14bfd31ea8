-- purpose: Returns when deliveries became known and changed, for charges that had another order or whose order had another
--          delivery. Table names are unqualified, so that it reads the present or the transaction's past clock.
-- grain:   one row per charge: the instants at which its delivery became known or changed, in order, and its delivery from each on
-- rules:   an order counts while it is matched. A delivery is null while the charge has no delivered order.
create or replace function payrecon.delivery_changes() returns table (
    original_transaction_id text, charge_id text, known_ats timestamptz[], delivered_ats timestamptz[]
)
language sql stable parallel safe
as $$
    with restated as (
        select distinct order_versions.order_id
        from order_versions
        inner join orders on orders.order_id = order_versions.order_id
        where order_versions.delivered_at is not null
            and order_versions.delivered_at is distinct from orders.delivered_at
    ),
    charge as (
        select ended_matches.original_transaction_id, ended_matches.charge_id
        from ended_matches
        union
        select matched_orders.original_transaction_id, matched_orders.charge_id
        from restated
        inner join matched_orders on matched_orders.order_id = restated.order_id
    ),
    span as materialized (
        select charge.original_transaction_id, charge.charge_id, pair.order_id, pair.valid_from, pair.valid_to
        from charge
        inner join (
            select
                matches.original_transaction_id, matches.charge_id, matches.order_id, matches.valid_from,
                'infinity'::timestamptz as valid_to
            from matches
            union all
            select
                ended_matches.original_transaction_id, ended_matches.charge_id, ended_matches.order_id, ended_matches.valid_from,
                ended_matches.valid_to
            from ended_matches
        ) as pair using (original_transaction_id, charge_id)
    ),
    version as materialized (
        select stated.order_id, stated.delivered_at, stated.batch_id, batches.known_at
        from (
            select orders.order_id, orders.delivered_at, orders.batch_id from orders
            union all
            select order_versions.order_id, order_versions.delivered_at, order_versions.batch_id from order_versions
        ) as stated
        inner join batches on batches.batch_id = stated.batch_id
        where stated.order_id in (select span.order_id from span)
    ),
    moment as (
        select span.original_transaction_id, span.charge_id, span.valid_from as known_at
        from span
        union
        select span.original_transaction_id, span.charge_id, span.valid_to
        from span
        where span.valid_to < 'infinity'
        union
        select span.original_transaction_id, span.charge_id, version.known_at
        from span
        inner join version on version.order_id = span.order_id
        where version.known_at >= span.valid_from
            and version.known_at < span.valid_to
    ),
    standing as (
        select
            moment.original_transaction_id, moment.charge_id, moment.known_at,
            (array_agg(pair.delivered_at order by pair.valid_from desc, pair.known_at desc, pair.batch_id desc))[1] as delivered_at
        from moment
        left join (
            select
                span.original_transaction_id, span.charge_id, span.valid_from, span.valid_to, version.delivered_at, version.known_at,
                version.batch_id
            from span
            inner join version on version.order_id = span.order_id
        ) as pair
            on pair.original_transaction_id = moment.original_transaction_id
            and pair.charge_id = moment.charge_id
            and pair.valid_from <= moment.known_at
            and pair.valid_to > moment.known_at
            and pair.known_at <= moment.known_at
        group by moment.original_transaction_id, moment.charge_id, moment.known_at
    )
    select
        changed.original_transaction_id, changed.charge_id, array_agg(changed.known_at order by changed.known_at),
        array_agg(changed.delivered_at order by changed.known_at)
    from (
        select
            standing.*, standing.delivered_at is distinct from lag(standing.delivered_at) over (
                partition by standing.original_transaction_id, standing.charge_id
                order by standing.known_at
            ) as is_change
        from standing
    ) as changed
    where changed.is_change
    group by changed.original_transaction_id, changed.charge_id
$$;
