-- purpose: grants a rung's candidates: the order that was paid or delivered takes the charge before carts and cancelled ones, the
--          earliest among equals; an order takes its earliest purchase, what a
--          family shares last;
--          run again until it grants nothing, so that who lost a first choice gets the next. A claim on a rung above,
--          which holds since this one told whose the chain is, goes first.
-- parameters: rung (text)
-- grain:   one decided match per granted pair
insert into match_decided (order_id, charge_id, original_transaction_id, rung)
with open_candidate as (
    select
        match_candidate.rung,
        match_candidate.order_id,
        match_candidate.charge_id,
        match_candidate.original_transaction_id,
        row_number() over (
            partition by match_candidate.charge_id
            order by match_candidate.rung, match_order.standing desc, match_candidate.created_at, match_candidate.order_id
        ) as place_at_charge,
        row_number() over (
            partition by match_candidate.order_id
            order by
                match_candidate.rung, match_charge.ownership = 'FAMILY_SHARED', match_candidate.purchased_at,
                match_candidate.charge_id
        ) as place_at_order
    from match_candidate
    inner join match_order on match_order.order_id = match_candidate.order_id
    inner join match_charge on match_charge.charge_id = match_candidate.charge_id
    where match_candidate.rung <= :'rung'::text
        and match_candidate.refusal is null
        and not exists (select 1 from match_decided where match_decided.order_id = match_candidate.order_id)
        and not exists (select 1 from match_decided where match_decided.charge_id = match_candidate.charge_id)
)
select order_id, charge_id, original_transaction_id, rung
from open_candidate
where place_at_charge = 1
    and place_at_order = 1;
