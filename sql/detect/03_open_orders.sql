-- purpose: orders without a match, with their refused claim if any, except those that two reviewers called benign
--          duplicates.
-- grain:   one row per open order
create temp table detect_open_order on commit drop as
with open_order as materialized (
    select
        orders.order_id,
        orders.environment,
        orders.bundle_id,
        orders.product_id,
        orders.user_id,
        orders.status,
        orders.transaction_id,
        orders.original_transaction_id,
        orders.currency,
        orders.price_milliunits,
        orders.status = 'delivered' or orders.delivered_at is not null as is_delivered,
        was_delivered(orders.status, orders.delivered_at) as was_delivered,
        orders.created_at,
        -- A finding keeps its instant when a paid order is delivered later.
        greatest(orders.created_at, least(orders.paid_at, orders.delivered_at)) as booked_at,
        refused_claims.class,
        refused_claims.charge_id,
        refused_claims.evidence_sha256,
        refused_claims.counterpart,
        refused_claims.is_explicit
    from in_orders as orders
    left join in_refused_claims as refused_claims
        on refused_claims.order_id = orders.order_id
        -- An order that names no charge and is neither paid nor delivered is no difference, even if its token or period
        -- leads to a charge.
        and (refused_claims.is_explicit or orders.status in ('paid', 'delivered') or orders.delivered_at is not null)
        -- A claim whose goods were taken back, as the runbooks demand, is no difference any more, nor is that of a cart which was
        -- cancelled before payment. Evidence that is forged or names another app id stays one: only a decision ends it.
        and (
            orders.status not in ('refunded', 'revoked', 'cancelled')
            or (orders.status = 'cancelled' and coalesce(orders.paid_at, orders.delivered_at) is not null)
            or refused_claims.class in ('FORGED_SIGNATURE', 'APP_ID_DIFF')
        )
    where not exists (select 1 from in_matched_orders as matched_orders where matched_orders.order_id = orders.order_id)
        and (orders.status <> 'created' or orders.delivered_at is not null or refused_claims.order_id is not null)
        and not exists (
            select 1
            from decided_pairs
            where decided_pairs.order_id = orders.order_id
                and decided_pairs.action = 'benign_duplicate'
        )
),
-- A lateral join counts as a nested loop. While nested loops are off, its price hides the difference between hash and merge joins.
charge_alias as (
    select unnest(charges.transaction_ids) as transaction_id
    from in_charges as charges
),
named as materialized (
    select distinct charge_alias.transaction_id
    from charge_alias
    where charge_alias.transaction_id in (select open_order.transaction_id from open_order)
)
select open_order.*, coalesce(open_order.transaction_id in (select named.transaction_id from named), false) as names_charge
from open_order;
