-- purpose: R22 block list: a user, device or purchase on the block list placed an order after it was listed.
-- traps:   orders before the entry are history; entries that ended or were removed do not count.
-- parameters: listed_max (bigint)
-- grain:   one signal per subject on the list
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, order_id, currency, amount_milliunits, score, happened_at, detail,
    inputs
)
with blocked as materialized (
    select subject_kind, subject_id, min(valid_from) as valid_from, min(owner) as owner, min(reason) as reason
    from rule_list
    where list = 'block'
    group by subject_kind, subject_id
),
-- A purchase may be claimed by name or by any other rung, so a listed purchase covers every order that was matched with it
-- or claimed it.
listed_charge as materialized (
    select blocked.subject_kind, blocked.subject_id, charges.original_transaction_id, charges.charge_id
    from blocked
    inner join charges on charges.original_transaction_id = blocked.subject_id
    where blocked.subject_kind = 'chain'
    union all
    select blocked.subject_kind, blocked.subject_id, charges.original_transaction_id, charges.charge_id
    from blocked
    inner join charges on charges.charge_id = blocked.subject_id
    where blocked.subject_kind = 'charge'
),
matched as materialized (
    select listed_charge.subject_kind, listed_charge.subject_id, matches.order_id
    from listed_charge
    inner join matches using (original_transaction_id, charge_id)
),
naming as materialized (
    select blocked.subject_kind, blocked.subject_id, orders.order_id, false as is_claim
    from blocked
    inner join orders on orders.original_transaction_id = blocked.subject_id
    where blocked.subject_kind = 'chain'
    union all
    select blocked.subject_kind, blocked.subject_id, orders.order_id, false
    from blocked
    inner join orders on orders.user_id = blocked.subject_id
    where blocked.subject_kind = 'user'
    union all
    select blocked.subject_kind, blocked.subject_id, orders.order_id, false
    from blocked
    inner join orders on orders.device_id = blocked.subject_id
    where blocked.subject_kind = 'device'
    union all
    select matched.subject_kind, matched.subject_id, matched.order_id, true
    from matched
    union all
    select listed_charge.subject_kind, listed_charge.subject_id, rule_refused.order_id, true
    from listed_charge
    inner join rule_refused on rule_refused.charge_id = listed_charge.charge_id
),
named as materialized (
    select naming.subject_kind, naming.subject_id, naming.order_id, bool_or(naming.is_claim) as is_claim
    from naming
    group by naming.subject_kind, naming.subject_id, naming.order_id
),
ordered as materialized (
    select named.subject_kind, named.subject_id, named.is_claim, orders.*
    from named
    inner join orders on orders.order_id = named.order_id
)
select
    'R22',
    hit.subject_kind,
    hit.subject_id,
    min(hit.bundle_id),
    (array_agg(hit.user_id order by hit.created_at, hit.order_id))[1],
    min(hit.order_id),
    case when min(hit.currency) is not distinct from max(hit.currency) then min(hit.currency) end,
    case when min(hit.currency) is not distinct from max(hit.currency) then sum(hit.price_milliunits) end,
    count(*),
    max(hit.created_at),
    phrase('detail.blocked', jsonb_build_object(
        'count', count(*), 'from', rfc3339(blocked.valid_from), 'owner', blocked.owner, 'reason', blocked.reason
    )),
    json_build_object(
        'owner', blocked.owner, 'reason', blocked.reason, 'blocked_from', rfc3339(blocked.valid_from), 'orders', count(*),
        'order_ids', to_json((array_agg(hit.order_id order by hit.created_at, hit.order_id))[1:(:'listed_max'::bigint)::integer])
    )::text
from ordered as hit
inner join blocked using (subject_kind, subject_id)
where hit.created_at >= blocked.valid_from
    and hit.status not in ('created', 'cancelled')
    and (
        hit.is_claim
        or hit.subject_id = case hit.subject_kind
            when 'user' then hit.user_id
            when 'device' then hit.device_id
            else hit.original_transaction_id
        end
    )
group by hit.subject_kind, hit.subject_id, blocked.valid_from, blocked.owner, blocked.reason;
