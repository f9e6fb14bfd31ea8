-- purpose: in words, what kept an order from a charge of its product on M2 and M4; and what is known of the hash that an order carries.
-- parameters: none
-- grain:   match_barrier one row per rung, order, charge and what stands between them, placed among what is told of the charge, and of
--          the order, where it is told of them at all; match_hash one per order and piece of evidence
create temp table match_barrier on commit drop as
select
    barrier.rung, match_pair.order_id, match_pair.charge_id, match_pair.created_at,
    abs(extract(epoch from match_pair.purchased_at - match_pair.created_at)) as distance,
    case
        when barrier.rung = 'M4'
            or match_pair.is_by_token
            -- Of a user's orders in other apps nobody asks what they carry.
            or (match_pair.difference is not null and match_pair.user_id = match_pair.token_user) then barrier.charge_place
    end as charge_place,
    barrier.of_charge,
    case
        when barrier.rung = 'M4'
            or (
                match_pair.is_carried
                and (
                    match_pair.difference is not null
                    or match_pair.charge_id in (select match_asked.charge_id from match_asked)
                )
            ) then barrier.order_place
    end as order_place,
    barrier.of_order
from match_pair
cross join lateral (
    select few_of(array_agg(other.order_id order by other.created_at, other.order_id)) as names
    from match_rival
    inner join match_order as other on other.order_id = match_rival.order_id
    where match_rival.charge_id = match_pair.charge_id
        and match_rival.standing >= match_pair.standing
        and match_rival.order_id <> match_pair.order_id
) as rivals
cross join lateral (
    values
        ('M2', difference is not null, 1, 1, difference[1], difference[2]),
        (
            'M2', not is_preceding and side = 'after', 2, 3, 'was created after the purchase',
            format('it was purchased %s before the order was created', span_text(distance))
        ),
        (
            'M2', not is_preceding and side = 'before', 3, 4, 'was created too long before the renewal',
            format('it is a renewal, purchased %s after the order was created', span_text(distance))
        ),
        ('M2', other_period is not null, 4, 5, 'names another period', 'it is a renewal, and the order names another period'),
        (
            'M2', chain_owner <> user_id, 5, 2, 'cannot have it, as the subscription belongs to user ' || chain_owner,
            'it is of a subscription of user ' || chain_owner
        ),
        (
            'M2', is_unmatched, 6, 6, 'does not belong to it, as two people decided',
            'two people decided that it does not belong to the order'
        ),
        ('M2', given_rung <= 'M2', 7, null, format('has charge %s by %s', given_charge, given_rung), null),
        ('M2', holder is not null, null, 7, null, format('order %s has it by %s', holder, holder_rung)),
        ('M2', is_duplicate, 8, 8, 'claims what another order holds', 'another order holds what the order claims'),
        (
            'M2', refused_on < 'M2', 9, 9, 'was refused the purchase that it names',
            'the order was refused the purchase that it names'
        ),
        (
            'M2', rivals.names is not null, null, 10, null,
            'the token leads to other open orders of that product, too: ' || rivals.names
        ),
        ('M2', true, null, 11, null, 'the rung passed it by'),
        ('M4', status = 'cancelled', 1, 1, 'is cancelled', 'the order is cancelled'),
        (
            'M4', other_period is not null, 2, 2, 'names another period',
            format('the order names another period than renewal %s', charge_id)
        ),
        (
            'M4', is_unmatched, 3, 3, 'does not belong to it, as two people decided',
            format('two people decided that renewal %s does not belong to the order', charge_id)
        ),
        ('M4', given_charge is not null, 4, null, format('has charge %s by %s', given_charge, given_rung), null),
        (
            'M4', holder is not null, null, 4, null,
            format('order %s has renewal %s of the period by %s', holder, charge_id, holder_rung)
        ),
        ('M4', is_duplicate, 5, 5, 'claims what another order holds', 'another order holds what the order claims'),
        ('M4', true, 6, 6, 'the rung passed it by', format('the rung passed renewal %s by', charge_id))
) as barrier (rung, holds, charge_place, order_place, of_charge, of_order)
where barrier.holds
    and match_pair.order_product = match_pair.product_id
    and (
        barrier.rung = 'M2'
        or (match_pair.is_renewal and match_pair.is_by_owner and match_pair.difference is null and match_pair.is_booked)
    );
create temp view match_hash as
select match_order.order_id, evidence.verdict
from match_order
inner join in_judged_evidence as evidence on evidence.sha256 = match_order.evidence_sha256
union all
-- The hash may be of the text that a notification was posted in.
select match_order.order_id, evidence.verdict
from match_order
inner join evidence_links on evidence_links.parent_sha256 = match_order.evidence_sha256
inner join in_judged_evidence as evidence on evidence.sha256 = evidence_links.sha256
where evidence_links.batch_id is not null;
