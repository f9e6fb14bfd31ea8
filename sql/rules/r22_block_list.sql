-- purpose: R22 block list: somebody or something on the block list placed an order since it was listed.
-- traps:   orders from before the entry are history; an entry that has ended or was removed lists nobody.
-- parameters: version (bigint), listed_max (bigint)
-- grain:   one suspicion per list entry's subject
insert into signal_found (
    rule, version, subject_kind, subject_id, bundle_id, user_id, order_id, device_id, currency, amount_milliunits, score,
    happened_at, detail, inputs
)
with blocked as materialized (
    select subject_kind, subject_id, min(valid_from) as valid_from, min(owner) as owner, min(reason) as reason
    from rule_list
    where list = 'block'
    group by subject_kind, subject_id
),
naming as materialized (
    select blocked.*, match_keys.id as order_id
    from blocked
    inner join match_keys
        on match_keys.key = blocked.subject_id
        and match_keys.kind = 'original'
        and match_keys.side = 'order'
    where blocked.subject_kind = 'chain'
    union all
    select blocked.*, rule_key.id
    from blocked
    inner join rule_key
        on rule_key.key = blocked.subject_id
        and rule_key.kind = blocked.subject_kind
        and rule_key.side = 'order'
    where blocked.subject_kind in ('user', 'device')
),
hit as materialized (
    select naming.subject_kind, naming.subject_id, naming.valid_from, naming.owner, naming.reason, orders.*
    from naming
    inner join orders on orders.order_id = naming.order_id
    where naming.subject_id = case naming.subject_kind
        when 'user' then orders.user_id
        when 'device' then orders.device_id
        else orders.original_transaction_id
    end
)
select
    'R22',
    :'version'::bigint,
    hit.subject_kind,
    hit.subject_id,
    min(hit.bundle_id),
    case when hit.subject_kind = 'user' then hit.subject_id else min(hit.user_id) end,
    min(hit.order_id),
    case when hit.subject_kind = 'device' then hit.subject_id end,
    case when min(hit.currency) is not distinct from max(hit.currency) then min(hit.currency) end,
    case when min(hit.currency) is not distinct from max(hit.currency) then sum(hit.price_milliunits) end,
    count(*),
    max(hit.created_at),
    count(*) || ' orders since ' || rfc3339(hit.valid_from) || ', blocked by ' || hit.owner || ': ' || hit.reason,
    json_build_object(
        'owner', hit.owner, 'reason', hit.reason, 'blocked_from', rfc3339(hit.valid_from), 'orders', count(*),
        'order_ids', to_json((array_agg(hit.order_id order by hit.created_at, hit.order_id))[1:(:'listed_max'::bigint)::integer])
    )::text
from hit
where hit.created_at >= hit.valid_from
    and hit.status not in ('created', 'cancelled')
group by hit.subject_kind, hit.subject_id, hit.valid_from, hit.owner, hit.reason;
