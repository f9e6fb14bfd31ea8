-- purpose: rung M4: a renewal of a subscription whose owner is known, and the owner's order booked for that period; an order
--          that was paid or delivered outranks carts. An order that names another transaction or line item is not for this
--          period, however late it was booked; nor is one that names none, and was booked at its end for the next.
-- grain:   one candidate per order and charge, also of charges already decided: their losers were delivered twice
insert into match_candidate (rung, order_id, charge_id, original_transaction_id, refusal, created_at, purchased_at)
with booked as (
    select
        match_order.order_id,
        match_charge.charge_id,
        match_charge.original_transaction_id,
        match_order.created_at,
        match_charge.purchased_at,
        match_order.standing,
        max(match_order.standing) over (partition by match_charge.charge_id) as best_standing
    from match_charge
    inner join match_order
        on match_order.user_id = coalesce(match_charge.chain_owner, match_charge.owner)
        and match_order.product_id = match_charge.product_id
        and match_order.bundle_id = match_charge.bundle_id
        and match_order.environment = match_charge.environment
        and match_order.created_at >= match_charge.booking_from
        and match_order.created_at < match_charge.booking_to
    where match_charge.is_renewal
        and match_order.status <> 'cancelled'
        and other_period(
            match_order.original_transaction_id, match_order.web_order_line_item_id, match_order.period_transaction_id,
            match_order.created_at, match_order.access_until, match_charge.original_transaction_id,
            exists (
                select 1
                from match_candidate
                where match_candidate.rung = 'M3'
                    and match_candidate.order_id = match_order.order_id
                    and match_candidate.charge_id = match_charge.charge_id
            ),
            exists (
                select 1
                from match_candidate
                where match_candidate.rung = 'M1'
                    and match_candidate.order_id = match_order.order_id
                    and match_candidate.charge_id = match_charge.charge_id
            ),
            match_charge.next_booking_from, match_charge.next_access_from
        ) is null
        and not exists (select 1 from match_duplicate where match_duplicate.order_id = match_order.order_id)
        and not exists (select 1 from match_decided where match_decided.order_id = match_order.order_id)
)
select 'M4', order_id, charge_id, original_transaction_id, null, created_at, purchased_at
from booked
where standing = best_standing
    and not exists (
        select 1
        from match_candidate
        where match_candidate.rung = 'M4'
            and match_candidate.charge_id = booked.charge_id
            and match_candidate.order_id = booked.order_id
    );
