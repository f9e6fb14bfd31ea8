-- purpose: each order beside each charge as the ladder, climbed anew, left them: what its rungs compare, and what they decided. Whoever
--          reads it asks for one order or one charge.
-- parameters: none
-- grain:   one row per order and charge
create temp view match_pair as
select
    match_order.order_id,
    match_order.user_id,
    match_order.status,
    match_order.transaction_id,
    match_order.original_transaction_id as order_original,
    match_order.web_order_line_item_id as order_line,
    match_order.evidence_sha256,
    match_order.own_token,
    match_order.is_standing,
    match_order.settled_at,
    match_order.created_at,
    match_order.access_until,
    match_order.quantity as order_quantity,
    match_order.product_id as order_product,
    match_charge.*,
    charges.web_order_line_item_id as line_item,
    coalesce(match_charge.chain_owner, match_charge.owner) as buyer,
    match_order_token.token is not null as is_by_token,
    held.order_id as holder,
    held.rung as holder_rung,
    given.charge_id as given_charge,
    given.rung as given_rung,
    match_order.order_id in (
        select match_duplicate.order_id from match_duplicate union all select match_left_out.order_id from match_left_out
    ) as is_duplicate,
    (
        select match_refused_order.rung from match_refused_order where match_refused_order.order_id = match_order.order_id
    ) as refused_on,
    exists (
        select 1
        from match_decision
        where match_decision.action = 'unmatch'
            and match_decision.order_id = match_order.order_id
            and match_decision.charge_id = match_charge.charge_id
    ) as is_unmatched,
    case
        when match_charge.is_renewal
            then other_period(
                match_order.original_transaction_id, match_order.web_order_line_item_id, match_order.transaction_id,
                match_order.created_at, match_order.access_until, match_charge.original_transaction_id,
                match_order.web_order_line_item_id = charges.web_order_line_item_id,
                exists (
                    select 1
                    from match_candidate
                    where match_candidate.rung = 'M1'
                        and match_candidate.order_id = match_order.order_id
                        and match_candidate.charge_id = match_charge.charge_id
                ),
                match_charge.next_booking_from, match_charge.next_access_from
            )
    end as other_period,
    case
        when match_charge.bundle_id <> match_order.bundle_id then 'is of app ' || match_charge.bundle_id
        when match_charge.environment <> match_order.environment then 'is of environment ' || match_charge.environment
        when match_charge.product_id <> match_order.product_id then 'is of product ' || match_charge.product_id
    end as charge_differs,
    case
        when match_charge.bundle_id <> match_order.bundle_id then 'is of app ' || match_order.bundle_id
        when match_charge.environment <> match_order.environment then 'is of environment ' || match_order.environment
    end as order_differs,
    round(abs(extract(epoch from match_charge.purchased_at - match_order.created_at)))::bigint as distance
from match_order
cross join match_charge
inner join in_charges as charges on charges.charge_id = match_charge.charge_id
left join match_order_token
    on match_order_token.order_id = match_order.order_id
    and match_order_token.token = match_charge.token
left join match_decided as held on held.charge_id = match_charge.charge_id
left join match_decided as given on given.order_id = match_order.order_id;
