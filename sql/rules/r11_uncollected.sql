-- purpose: R11 uncollected: goods delivered without payment to Apple. The tie-out found no settlement long after the
--          purchase, or a renewal was delivered while Apple is still trying to bill it.
-- traps:   late settlement is normal (settled_after); Apple itself grants access in its grace period; a cell proves that
--          units are missing, but the user is only probable, and the inputs state which it is.
-- parameters: as_of (timestamptz), settled_after (interval)
-- grain:   one signal per charge, or per renewal order
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, order_id, charge_id, currency, amount_milliunits, score,
    happened_at, detail, inputs
)
with uncollected as materialized (
    select
        rule_break.break_id, rule_break.charge_id, rule_break.bundle_id, rule_break.user_id, rule_break.currency,
        rule_break.amount_milliunits, rule_break.detail, charges.purchased_at,
        coalesce(rule_break.order_id, matches.order_id) as order_id, matches.order_id as held_order_id
    from rule_break
    inner join charges using (charge_id)
    left join matches using (original_transaction_id, charge_id)
    where rule_break.class = 'NEVER_COLLECTED'
        and charges.state = 'charged'
        and charges.purchased_at < :'as_of'::timestamptz - :'settled_after'::interval
),
holder as materialized (
    select distinct orders.order_id, orders.user_id
    from uncollected
    inner join orders on orders.order_id = uncollected.held_order_id
),
delivered as materialized (
    select orders.*, rule_break.break_id
    from rule_break
    inner join orders on orders.order_id = rule_break.order_id
    where rule_break.class in ('RENEWAL_MISSING', 'ORDER_NO_TX')
        and (orders.status = 'delivered' or orders.delivered_at is not null)
),
retried as materialized (
    select subscription.*
    from subscriptions_of(
        :'as_of'::timestamptz, array(select distinct delivered.original_transaction_id from delivered)
    ) as subscription
    where subscription.environment = 'Production'
        and subscription.status = 'billing_retry'
)
select
    'R11',
    'charge',
    uncollected.charge_id,
    uncollected.bundle_id,
    coalesce(uncollected.user_id, holder.user_id),
    uncollected.order_id,
    uncollected.charge_id,
    uncollected.currency,
    uncollected.amount_milliunits,
    1,
    uncollected.purchased_at,
    phrase('detail.uncollected', 'at', rfc3339(uncollected.purchased_at)),
    json_build_object(
        'basis', 'tie-out', 'break_id', uncollected.break_id, 'charge_id', uncollected.charge_id,
        'purchased_at', rfc3339(uncollected.purchased_at), 'detail', english(uncollected.detail)
    )::text
from uncollected
left join holder on holder.order_id = uncollected.held_order_id
union all
select
    'R11',
    'order',
    delivered.order_id,
    delivered.bundle_id,
    delivered.user_id,
    delivered.order_id,
    null,
    delivered.currency,
    delivered.price_milliunits,
    1,
    coalesce(delivered.delivered_at, delivered.created_at),
    phrase('detail.still_billing'),
    json_build_object(
        'basis', 'billing retry', 'break_id', delivered.break_id,
        'original_transaction_id', retried.original_transaction_id,
        'grace_until', rfc3339(retried.grace_until), 'reported_at', rfc3339(retried.heard_at)
    )::text
from delivered
inner join retried
    on retried.original_transaction_id = delivered.original_transaction_id
    and retried.bundle_id = delivered.bundle_id;
