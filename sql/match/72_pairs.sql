-- purpose: of the orders and charges that somebody asks about, each beside whatever the ladder laid them beside: what its rungs
--          compare, what they found of that, and what they decided.
-- parameters: orders, charges (text[]): their ids; window, ask_to_buy_window, skew (intervals)
-- grain:   one row per order and charge
create temp table match_pair on commit drop as
with asked as (
    select match_order.order_id, match_charge.charge_id
    from match_order
    cross join match_charge
    where match_order.order_id = any(:'orders'::text[])
    union
    select match_order.order_id, match_charge.charge_id
    from match_charge
    inner join match_order on match_order.product_id = match_charge.product_id
    where match_charge.charge_id = any(:'charges'::text[])
)
select
    match_order.order_id, match_order.user_id, match_order.status, match_order.transaction_id,
    match_order.original_transaction_id as order_original, match_order.web_order_line_item_id as order_line,
    match_order.evidence_sha256, match_order.own_token, match_order.standing, match_order.created_at, match_order.access_until,
    match_order.quantity as order_quantity, match_order.product_id as order_product,
    match_charge.*,
    charges.web_order_line_item_id as line_item,
    coalesce(match_charge.chain_owner, match_charge.owner) as buyer,
    token_owner.user_id as token_user,
    match_order_token.token is not null as is_by_token,
    coalesce(match_order.own_token = match_charge.token, token_owner.is_held and token_owner.user_id = match_order.user_id)
        as is_carried,
    match_order.user_id = coalesce(match_charge.chain_owner, match_charge.owner) as is_by_owner,
    held.order_id as holder, held.rung as holder_rung, given.charge_id as given_charge, given.rung as given_rung,
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
                match_order.original_transaction_id, match_order.web_order_line_item_id, match_order.period_transaction_id,
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
        when match_charge.bundle_id <> match_order.bundle_id
            then array['is of app ' || match_order.bundle_id, 'the purchase is of app ' || match_charge.bundle_id]
        when match_charge.environment <> match_order.environment
            then array[
                'is of environment ' || match_order.environment, 'the purchase is of environment ' || match_charge.environment
            ]
        when match_charge.product_id <> match_order.product_id
            then array['is of product ' || match_order.product_id, 'the purchase is of product ' || match_charge.product_id]
    end as difference,
    precedes_purchase(
        match_order.created_at, match_charge.purchased_at, match_charge.is_renewal, :'skew'::interval, :'window'::interval
    ) as is_preceding,
    match_order.created_at >= match_charge.booking_from and match_order.created_at < match_charge.booking_to as is_booked,
    is_in_window(
        match_order.created_at, match_order.settled_at, match_charge.purchased_at, :'skew'::interval, :'window'::interval,
        :'ask_to_buy_window'::interval
    ) as is_in_window,
    round(abs(extract(epoch from match_charge.purchased_at - match_order.created_at)))::bigint as distance,
    case when match_charge.purchased_at < match_order.created_at then 'after' else 'before' end as side
from asked
inner join match_order on match_order.order_id = asked.order_id
inner join match_charge on match_charge.charge_id = asked.charge_id
inner join in_charges as charges on charges.charge_id = match_charge.charge_id
left join match_order_token
    on match_order_token.order_id = match_order.order_id
    and match_order_token.token = match_charge.token
left join match_token_owner as token_owner on token_owner.token = match_charge.token
left join match_decided as held on held.charge_id = match_charge.charge_id
left join match_decided as given on given.order_id = match_order.order_id;
