-- purpose: users with a refund or an offer, the starting set of the refund and trial rules.
-- parameters: as_of (timestamptz), lookback (interval)
-- grain:   one row per user
insert into rule_interest (user_id)
with candidate_charge as (
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
matched as materialized (
    select matches.order_id
    from candidate_charge
    inner join matches using (original_transaction_id, charge_id)
)
select orders.user_id
from matched
inner join orders on orders.order_id = matched.order_id
union
select owners.user_id
from token_owners(array(select distinct candidate_charge.app_account_token from candidate_charge)) as owners;
