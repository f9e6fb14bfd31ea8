-- purpose: the plain bulk of rung M1, decided at once: one order names one charge, nobody else names either, everything
--          fits, nothing speaks for a second user on its subscription, and nobody decided otherwise. Whatever is not plain
--          climbs the ladder.
-- grain:   one decided match per pair
insert into match_plain (order_id, charge_id, original_transaction_id, rung)
with contested_charge as (
    select charge_id from match_named group by charge_id having count(*) > 1
    union all
    select charge_id from match_decision
),
contesting_order as (
    select order_id from match_named group by order_id having count(*) > 1
    union all
    select order_id from match_decision
)
select match_named.order_id, match_named.charge_id, match_named.original_transaction_id, 'M1'
from match_named
left join match_token_owner on match_token_owner.token = match_named.token
where match_named.is_fitting
    and (match_token_owner.user_id is null or match_token_owner.user_id = match_named.user_id)
    and not exists (select 1 from match_chain_order where match_chain_order.order_id = match_named.order_id)
    and not exists (select 1 from contested_charge where contested_charge.charge_id = match_named.charge_id)
    and not exists (select 1 from contesting_order where contesting_order.order_id = match_named.order_id)
    and not exists (
        select 1
        from match_contested_chain
        where match_named.type = 'auto_renewable'
            and match_contested_chain.original_transaction_id = match_named.original_transaction_id
            and match_contested_chain.bundle_id = match_named.bundle_id
            and match_contested_chain.environment = match_named.environment
    );
