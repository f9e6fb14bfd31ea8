-- purpose: Returns the number of Production charges that became known after one instant and until another: purchases of a
--          fiscal period, and charges whose refund in the period became known then.
create or replace function payrecon.changed_charges(
    starts_on date, ends_on date, after timestamptz, through timestamptz
) returns bigint
language sql stable parallel safe
as $$
    with bounds as materialized (
        select payrecon.apple_midnight($1) as starts_at, payrecon.apple_midnight($2 + 1) as ends_at
    ),
    later as materialized (
        select batches.batch_id from payrecon.batches where batches.known_at > $3 and batches.known_at <= $4
    )
    select count(*)
    from (
        select charges.original_transaction_id, charges.charge_id
        from later
        inner join payrecon.charges on charges.batch_id = later.batch_id
        cross join bounds
        where charges.environment = 'Production'
            and charges.purchased_at >= bounds.starts_at
            and charges.purchased_at < bounds.ends_at
        union
        select charges.original_transaction_id, charges.charge_id
        from bounds
        inner join payrecon.charges on charges.revoked_at >= bounds.starts_at and charges.revoked_at < bounds.ends_at
        cross join lateral (
            select min(transactions.batch_id) as batch_id
            from payrecon.transactions
            where transactions.original_transaction_id = charges.original_transaction_id
                and transactions.bundle_id = charges.bundle_id
                and transactions.environment = charges.environment
                and transactions.transaction_id = any (charges.transaction_ids)
                -- A charge with several refunds states this one.
                and transactions.revoked_at = charges.revoked_at
        ) as refunding
        inner join later on later.batch_id = refunding.batch_id
        where charges.environment = 'Production'
    ) as changed
$$;
