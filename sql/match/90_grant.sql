-- purpose: grants a rung's candidates: the earliest order takes the charge, an order takes its earliest purchase;
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
            order by match_candidate.rung, match_candidate.created_at, match_candidate.order_id
        ) as place_at_charge,
        row_number() over (
            partition by match_candidate.order_id
            order by match_candidate.rung, match_candidate.purchased_at, match_candidate.charge_id
        ) as place_at_order
    from match_candidate
    where match_candidate.rung <= :'rung'::text
        and match_candidate.refusal is null
        and not exists (select 1 from match_decided where match_decided.order_id = match_candidate.order_id)
        and not exists (select 1 from match_decided where match_decided.charge_id = match_candidate.charge_id)
)
select order_id, charge_id, original_transaction_id, rung
from open_candidate
where place_at_charge = 1
    and place_at_order = 1;
