-- purpose: R11 uncollected: delivered, and Apple did not get the money: the tie-out found no settlement long after the
--          purchase, or a renewal was delivered while Apple is still trying to bill it.
-- traps:   what Apple settles late is late (settled_after); access in Apple's grace period is Apple's wish; a cell proves
--          what is missing, per user it is only probable, and the inputs say which it is.
-- parameters: version (bigint), as_of (timestamptz), settled_after (interval)
-- grain:   one suspicion per charge, or per renewal order
insert into signal_found (
    rule, version, subject_kind, subject_id, bundle_id, user_id, order_id, charge_id, currency, amount_milliunits,
    score, happened_at, detail, inputs
)
select
    'R11',
    :'version'::bigint,
    'charge',
    rule_break.charge_id,
    rule_break.bundle_id,
    coalesce(rule_break.user_id, orders.user_id),
    coalesce(rule_break.order_id, matches.order_id),
    rule_break.charge_id,
    rule_break.currency,
    rule_break.amount_milliunits,
    1,
    charges.purchased_at,
    'delivered, in no settled report since ' || rfc3339(charges.purchased_at),
    json_build_object(
        'basis', 'tie-out', 'break_id', rule_break.break_id, 'charge_id', rule_break.charge_id,
        'purchased_at', rfc3339(charges.purchased_at), 'told', rule_break.detail
    )::text
from rule_break
inner join charges on charges.charge_id = rule_break.charge_id
left join matches
    on matches.original_transaction_id = charges.original_transaction_id
    and matches.charge_id = charges.charge_id
left join orders on orders.order_id = matches.order_id
where rule_break.class = 'NEVER_COLLECTED'
    and charges.state = 'charged'
    and charges.purchased_at < :'as_of'::timestamptz - :'settled_after'::interval
union all
select
    'R11',
    :'version'::bigint,
    'order',
    orders.order_id,
    orders.bundle_id,
    orders.user_id,
    orders.order_id,
    null,
    orders.currency,
    orders.price_milliunits,
    1,
    coalesce(orders.delivered_at, orders.created_at),
    'renewal delivered while Apple is still trying to bill it',
    json_build_object(
        'basis', 'billing retry', 'break_id', rule_break.break_id,
        'original_transaction_id', renewal.original_transaction_id,
        'grace_until', rfc3339(renewal.grace_expires_at), 'told_at', rfc3339(renewal.signed_at)
    )::text
from rule_break
inner join orders on orders.order_id = rule_break.order_id
cross join lateral (
    select renewal_infos.*
    from renewal_infos
    where renewal_infos.original_transaction_id = orders.original_transaction_id
        and renewal_infos.environment = 'Production'
    order by renewal_infos.signed_at desc, renewal_infos.evidence_sha256 desc
    limit 1
) as renewal
where rule_break.class in ('RENEWAL_MISSING', 'ORDER_NO_TX')
    and renewal.is_in_billing_retry
    and not coalesce(renewal.grace_expires_at > :'as_of'::timestamptz, false)
    and (orders.status = 'delivered' or orders.delivered_at is not null);
