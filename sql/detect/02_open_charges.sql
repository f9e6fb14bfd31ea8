-- purpose: Production charges with money but without an order, each with its user. A subscription's charge belongs to the
--          chain's owner, even if it carries another token; any other charge belongs to the token's user. Family-shared and
--          free charges are never open, refunded or not. The refunded part is at risk of a refunded charge, else the rest.
-- grain:   one row per open charge
create temp table detect_open_charge on commit drop as
with open_charge as materialized (
    select
        charges.charge_id,
        charges.environment,
        charges.type,
        charges.original_transaction_id,
        charges.transaction_ids[1] as transaction_id,
        charges.bundle_id,
        charges.product_id,
        charges.state,
        charges.currency,
        case
            when charges.state = 'refunded' then charges.refunded_milliunits
            else charges.price_milliunits - coalesce(charges.refunded_milliunits, 0)
        end as at_risk_milliunits,
        charges.app_account_token,
        charges.is_renewal,
        charges.purchased_at,
        coalesce(charges.first_revoked_at, charges.revoked_at) as first_revoked_at
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
select open_charge.*, coalesce(chain.user_id, owner.user_id) as user_id
from open_charge
left join token_owners(
    array(select distinct open_charge.app_account_token from open_charge where open_charge.app_account_token is not null)
) as owner on owner.token = open_charge.app_account_token
left join chain_owners(
    array(select distinct open_charge.original_transaction_id from open_charge where open_charge.type = 'auto_renewable')
) as chain
    on chain.environment = open_charge.environment
    and chain.bundle_id = open_charge.bundle_id
    and chain.original_transaction_id = open_charge.original_transaction_id;
