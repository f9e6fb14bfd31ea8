-- purpose: the orders and charges of a user, a token or a device, newest first: those that name it, those bought with
--          its tokens, and the charges matched to these orders.
-- parameters: id (text), rows (bigint)
-- grain:   one row per order or charge
with fact as materialized (
    select found.side, found.id from facts_of_key(:'id'::text, 'user') as found
    union
    select found.side, found.id from facts_of_key(token_text(:'id'::text), 'token') as found
    union
    select found.side, found.id from facts_of_key(:'id'::text, 'device') as found
),
token as materialized (select user_tokens.app_account_token from user_tokens where user_tokens.user_id = :'id'::text),
chain as materialized (
    select fact.id from fact where fact.side = 'chain'
    union
    select found.id
    from token
    cross join lateral facts_of_key(token.app_account_token, 'token') as found
    where found.side = 'chain'
),
placed as materialized (
    select orders.order_id, orders.created_at
    from fact
    inner join orders on orders.order_id = fact.id
    where fact.side = 'order'
),
hash as materialized (select hash_of_letters(fact.id) as sha256 from fact where fact.side = 'evidence'),
upload as materialized (
    select evidence.charge_id, evidence.original_transaction_id
    from hash
    inner join judged_evidence as evidence on evidence.sha256 = hash.sha256
    where evidence.charge_id is not null
),
paired as materialized (
    select matched_orders.charge_id, matched_orders.original_transaction_id
    from placed
    inner join matched_orders on matched_orders.order_id = placed.order_id
),
charged as materialized (
    select distinct charges.charge_id, charges.purchased_at
    from (
        select paired.charge_id, paired.original_transaction_id from paired
        union
        select upload.charge_id, upload.original_transaction_id from upload
    ) as named
    inner join charges using (original_transaction_id, charge_id)
),
bought as materialized (
    select charges.charge_id, charges.purchased_at
    from chain
    inner join charges on charges.original_transaction_id = chain.id
)
select fact_row.kind, fact_row.id
from (
    select 'order' as kind, placed.order_id as id, placed.created_at as at from placed
    union
    select 'charge', charged.charge_id, charged.purchased_at from charged
    union
    select 'charge', bought.charge_id, bought.purchased_at from bought
) as fact_row
order by fact_row.at desc nulls last, fact_row.kind, fact_row.id
limit :'rows'::bigint;
