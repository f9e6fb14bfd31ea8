-- purpose: stores the order of each new match; a primary key rejects a second match of an order.
-- grain:   one row per match
-- note:    before sql/match/create_matches.sql, which changes the recorded matches.
insert into payrecon.matched_orders (order_id, charge_id, original_transaction_id)
select match_decided.order_id, match_decided.charge_id, match_decided.original_transaction_id
from match_decided
where not exists (
        select 1
        from in_matches
        where in_matches.charge_id = match_decided.charge_id
            and in_matches.order_id = match_decided.order_id
            and in_matches.rung = match_decided.rung
    )
order by match_decided.order_id;
