-- purpose: Returns the delivery of each matched charge. It became known with the first version of the order that states it, or
--          with the match if that is later. Table names are unqualified, so that it reads the present or the transaction's
--          past clock.
-- grain:   one row per matched charge
create or replace function payrecon.charge_deliveries() returns table (
    original_transaction_id text, charge_id text, order_id text, delivered_at timestamptz, known_at timestamptz
)
language sql stable parallel safe
as $$
    with earlier_version as (
        select order_versions.order_id, order_versions.delivered_at, min(batches.known_at) as known_at
        from order_versions
        inner join batches on batches.batch_id = order_versions.batch_id
        where order_versions.delivered_at is not null
        group by order_versions.order_id, order_versions.delivered_at
    ),
    -- Not materialized, which would keep the join on one core. Citus reads it first if it cannot join distributed matches.
    matched as (
        select original_transaction_id, charge_id, order_id, valid_from from matches
    )
    select
        matched.original_transaction_id, matched.charge_id, orders.order_id, orders.delivered_at,
        greatest(least(batches.known_at, earlier_version.known_at), matched.valid_from)
    from matched
    inner join orders using (order_id)
    inner join batches on batches.batch_id = orders.batch_id
    left join earlier_version using (order_id, delivered_at)
$$;
