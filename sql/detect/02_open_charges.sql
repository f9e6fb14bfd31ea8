-- purpose: money-bearing Production charges without order, with the user whose the token is; family-shared and free ones are
--          never open, refunded or not.
-- grain:   one row per open charge
create temp table detect_open_charge on commit drop as
with open_charge as materialized (
    select
        charges.charge_id,
        charges.original_transaction_id,
        charges.transaction_ids[1] as transaction_id,
        charges.bundle_id,
        charges.product_id,
        charges.state,
        charges.currency,
        charges.price_milliunits,
        charges.app_account_token,
        charges.is_renewal,
        charges.purchased_at,
        charges.revoked_at
    from in_charges as charges
    where charges.environment = 'Production'
        and charges.state not in ('family', 'free')
        and charges.price_milliunits is distinct from 0
        and not exists (
            select 1
            from in_matches as matches
            where matches.original_transaction_id = charges.original_transaction_id
                and matches.charge_id = charges.charge_id
        )
)
select open_charge.*, owner.user_id
from open_charge
left join token_owners(
    array(select distinct open_charge.app_account_token from open_charge where open_charge.app_account_token is not null)
) as owner on owner.token = open_charge.app_account_token;
