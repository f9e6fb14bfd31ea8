-- purpose: Returns the terms of non-renewing passes by the end of access that their orders granted. The passes of a user for one
--          subscription group, else product, follow one another: a pass begins when the one before it ends. Table names are
--          unqualified, so that it reads the present or the transaction's past clock.
-- grain:   one row per charge: its terms, one for each instant at which the term became known or changed, and the first instant
-- example: two passes of 30 days bought on 1 and 10 January end on 31 January and 2 March: the second one begins on 31 January
create or replace function payrecon.pass_terms() returns table (
    original_transaction_id text, charge_id text, terms text, since timestamptz
)
language sql stable parallel safe
as $$
    with stated as (
        select version.order_id, version.entitlement_expires_at as ends_at, min(batches.known_at) as known_at
        from (
            select orders.order_id, orders.entitlement_expires_at, orders.batch_id
            from orders
            where orders.entitlement_expires_at is not null
            union all
            select order_versions.order_id, order_versions.entitlement_expires_at, order_versions.batch_id
            from order_versions
            where order_versions.entitlement_expires_at is not null
        ) as version
        inner join payrecon.batches on batches.batch_id = version.batch_id
        where batches.known_at <= (select payrecon.viewed_at())
        group by version.order_id, version.entitlement_expires_at
    ),
    signed as (
        select transactions.original_transaction_id, transactions.charge_id, min(batches.known_at) as known_at
        from transactions
        inner join payrecon.batches on batches.batch_id = transactions.batch_id
        where transactions.type = 'non_renewing'
        group by transactions.original_transaction_id, transactions.charge_id
    ),
    granted as (
        select matched_orders.charge_id, orders.user_id, stated.ends_at, stated.known_at
        from matched_orders
        inner join orders on orders.order_id = matched_orders.order_id
        inner join stated on stated.order_id = orders.order_id
    ),
    sold as (
        select
            charges.original_transaction_id, charges.charge_id, charges.bundle_id, charges.purchased_at, signed.known_at,
            coalesce(nullif(products.subscription_group, ''), charges.product_id) as line
        from charges
        inner join signed using (original_transaction_id, charge_id)
        left join products using (bundle_id, product_id)
        where charges.environment = 'Production'
            and charges.type = 'non_renewing'
            and charges.state <> 'family'
    ),
    pass as materialized (
        select
            sold.original_transaction_id, sold.charge_id, sold.bundle_id, sold.purchased_at, sold.line, granted.user_id,
            granted.ends_at, greatest(granted.known_at, sold.known_at) as known_at
        from sold
        inner join granted on granted.charge_id = sold.charge_id
        where granted.ends_at > sold.purchased_at
    ),
    own as (
        select
            pass.original_transaction_id, pass.charge_id, pass.bundle_id, pass.user_id, pass.line, pass.purchased_at,
            min(pass.known_at) as since
        from pass
        group by pass.original_transaction_id, pass.charge_id, pass.bundle_id, pass.user_id, pass.line, pass.purchased_at
    ),
    moment as (
        select distinct own.*, pass.known_at
        from own
        inner join pass using (bundle_id, user_id, line)
        where pass.known_at >= own.since
    ),
    standing as (
        select
            moment.original_transaction_id, moment.charge_id, moment.known_at, moment.purchased_at,
            (
                array_agg(pass.ends_at order by pass.known_at desc, pass.ends_at desc)
                filter (where pass.charge_id = moment.charge_id)
            )[1] as ends_at,
            array_agg(pass.ends_at) filter (where pass.charge_id <> moment.charge_id) as other_ends
        from moment
        inner join pass using (bundle_id, user_id, line)
        where pass.known_at <= moment.known_at
        group by moment.original_transaction_id, moment.charge_id, moment.known_at, moment.purchased_at
    )
    select
        standing.original_transaction_id, standing.charge_id,
        string_agg(
            payrecon.dated_term(
                greatest(
                    standing.purchased_at,
                    (select max(other.ends_at) from unnest(standing.other_ends) as other (ends_at) where other.ends_at < standing.ends_at)
                ),
                standing.ends_at, standing.known_at
            ),
            ' ' order by standing.known_at
        ),
        min(standing.known_at)
    from standing
    group by standing.original_transaction_id, standing.charge_id
$$;
