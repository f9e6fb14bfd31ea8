-- purpose: R07 refund ring: connected groups of refunded users, linked by devices or by claims on each other's purchases.
-- traps:   a shared device (net café, demo) links strangers, so devices with more than degree_max users are ignored; a
--          household counts once; testers do not count. payrecon has no addresses and no gift recipients.
-- parameters: as_of (timestamptz), window (interval), degree_max, users_min, users_max, listed_max (bigint)
-- grain:   one signal per group, identified by a refund of a member: a charge keeps its id when a member is erased
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, currency, amount_milliunits, score, happened_at, detail, inputs
)
with refunded as materialized (
    select
        household as person, min(user_id) as user_id, count(distinct user_id) as account_count, min(bundle_id) as bundle_id,
        min(charge_id) as charge_id, count(*) as refund_count,
        sum(refunded_milliunits) as refunded_milliunits, min(currency) as currency,
        min(currency) is distinct from max(currency) as has_currencies, max(revoked_at) as last_at
    from rule_sale
    where state in ('refunded', 'partly_refunded')
        and revoked_at >= :'as_of'::timestamptz - :'window'::interval
        and revoked_at <= :'as_of'::timestamptz
        and household is not null
        and not is_tester
    group by household
),
refunded_device as (
    select distinct rule_sale.device_id
    from rule_sale
    inner join refunded on refunded.person = rule_sale.household
    where rule_sale.device_id is not null
),
-- All users that ordered on the device count for its degree, refunded or not.
device_order as materialized (
    select orders.device_id, orders.user_id
    from refunded_device
    inner join orders on orders.device_id = refunded_device.device_id
),
device_user as (
    select device_order.device_id, coalesce(rule_person.household, device_order.user_id) as person
    from device_order
    left join rule_person on rule_person.user_id = device_order.user_id
    union
    select rule_refused.device_id, rule_refused.household
    from rule_refused
    where rule_refused.device_id is not null
        and not rule_refused.is_tester
),
device as (
    select device_id
    from device_user
    group by device_id
    having count(*) between 2 and :'degree_max'::bigint
),
member_device as (
    select device_user.device_id, device_user.person
    from device
    inner join device_user on device_user.device_id = device.device_id
    inner join refunded on refunded.person = device_user.person
),
link as (
    select one.person, other.person as neighbour
    from member_device as one
    inner join member_device as other on other.device_id = one.device_id
    where one.person <> other.person
    union
    select side.person, side.neighbour
    from rule_refused
    inner join refunded as claimant on claimant.person = rule_refused.household
    inner join refunded as holder on holder.person = rule_refused.holder_household
    cross join lateral (values (claimant.person, holder.person), (holder.person, claimant.person)) as side (person, neighbour)
    where claimant.person <> holder.person
),
-- Members with too many links would connect strangers, so they are ignored.
linked_member as (
    select person from link group by person having count(*) <= :'degree_max'::bigint * 4
),
-- The label of a group is its first member. Labels spread only from members that are first among their neighbours, and only to
-- later members. So the first label reaches the whole group, and the work stays proportional to the group.
first_member as (
    select link.person
    from link
    inner join linked_member on linked_member.person = link.person
    group by link.person
    having min(link.neighbour) > link.person
),
labelled as materialized (
    with recursive spreading as (
        select first_member.person as label, first_member.person from first_member
        union
        select spreading.label, link.neighbour
        from spreading
        inner join link on link.person = spreading.person
        inner join linked_member on linked_member.person = link.neighbour
        where link.neighbour > spreading.label
    )
    select spreading.label, spreading.person from spreading
),
ring_member as (
    select person, min(label) as ring from labelled group by person
),
ring as (
    select
        ring_member.ring,
        min(refunded.charge_id) as charge_id,
        count(*) as user_count,
        sum(refunded.refund_count)::bigint as refund_count,
        case when min(refunded.currency) = max(refunded.currency) and not bool_or(refunded.has_currencies)
            then sum(refunded.refunded_milliunits) end as refunded_milliunits,
        case when min(refunded.currency) = max(refunded.currency) and not bool_or(refunded.has_currencies)
            then min(refunded.currency) end as currency,
        min(refunded.bundle_id) as bundle_id,
        array_agg(refunded.user_id order by refunded.user_id) as user_ids,
        max(refunded.account_count) as account_count,
        max(refunded.last_at) as last_at
    from ring_member
    inner join refunded on refunded.person = ring_member.person
    group by ring_member.ring
    having count(*) between :'users_min'::bigint and :'users_max'::bigint
),
ring_device as (
    select ring_member.ring, array_agg(distinct member_device.device_id order by member_device.device_id) as device_ids
    from ring_member
    inner join member_device on member_device.person = ring_member.person
    group by ring_member.ring
)
select
    'R07',
    'ring',
    ring.charge_id,
    ring.bundle_id,
    ring.currency,
    ring.refunded_milliunits,
    ring.user_count,
    ring.last_at,
    phrase(
        case when ring.account_count > 1 then 'detail.ring_once' else 'detail.ring' end,
        jsonb_build_object('users', ring.user_count, 'count', ring.refund_count)
    ),
    json_build_object(
        'users', ring.user_count, 'refunds', ring.refund_count, 'refunded_milliunits', ring.refunded_milliunits,
        'currency', ring.currency, 'user_ids', to_json(ring.user_ids[1:(:'listed_max'::bigint)::integer]),
        'device_ids', to_json(ring_device.device_ids[1:(:'listed_max'::bigint)::integer]),
        'last_at', rfc3339(ring.last_at)
    )::text
from ring
left join ring_device on ring_device.ring = ring.ring;
