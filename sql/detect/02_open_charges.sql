-- purpose: Production charges with money but without an order, each with its user. A subscription's charge belongs to the
--          chain's owner, even if it carries another token; any other charge belongs to the token's user. Family-shared and
--          free charges are never open, refunded or not. The amount at risk is the refunded part of a refunded charge, and
--          the remaining price of any other.
-- grain:   one row per open charge
create temp table detect_open_charge on commit drop as
with open_charge as materialized (
    select
        charge_id, type, original_transaction_id, transaction_id, bundle_id, product_id, state,
        charge_currency as currency,
        case
            when state = 'refunded' then refunded_milliunits
            else charge_milliunits - coalesce(refunded_milliunits, 0)
        end as at_risk_milliunits,
        charge_token as app_account_token,
        is_renewal, purchased_at, first_revoked_at
    from differing_charge
    where order_id is null
)
select open_charge.*, coalesce(chain.user_id, owner.user_id) as user_id
from open_charge
left join token_owners(
    array(select distinct open_charge.app_account_token from open_charge where open_charge.app_account_token is not null)
) as owner on owner.token = open_charge.app_account_token
left join chain_owners(
    array(select distinct open_charge.original_transaction_id from open_charge where open_charge.type = 'auto_renewable')
) as chain
    on chain.environment = 'Production'
    and chain.bundle_id = open_charge.bundle_id
    and chain.original_transaction_id = open_charge.original_transaction_id;
