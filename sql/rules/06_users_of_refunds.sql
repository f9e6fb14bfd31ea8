-- purpose: users who had something refunded or took an offer: what refund and trial rules begin with.
-- parameters: as_of (timestamptz), lookback (interval)
-- grain:   one row per user
insert into rule_interest (user_id)
with told as (
    select charges.original_transaction_id, charges.charge_id, charges.app_account_token
    from charges
    where charges.environment = 'Production'
        and charges.ownership = 'PURCHASED'
        and (
            charges.revoked_at >= :'as_of'::timestamptz - :'lookback'::interval
            or (
                charges.offer_type in (1, 4)
                and charges.purchased_at >= :'as_of'::timestamptz - :'lookback'::interval
            )
        )
),
held as materialized (
    select matches.order_id
    from told
    inner join matches
        on matches.original_transaction_id = told.original_transaction_id
        and matches.charge_id = told.charge_id
)
select orders.user_id
from held
inner join orders on orders.order_id = held.order_id
union
select owners.user_id
from token_owners(array(select distinct told.app_account_token from told)) as owners;
