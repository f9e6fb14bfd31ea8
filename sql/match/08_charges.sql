-- purpose: the charges of the scope that do not renew, with the user their token names.
-- parameters: none
-- grain:   one row per charge
insert into match_charge (
    charge_id, original_transaction_id, environment, bundle_id, product_id, type, ownership, token, owner, quantity,
    is_renewal, purchased_at
)
select
    charges.charge_id,
    charges.original_transaction_id,
    charges.environment,
    charges.bundle_id,
    charges.product_id,
    charges.type,
    charges.ownership,
    charges.app_account_token,
    match_token_owner.user_id,
    charges.quantity,
    false,
    charges.purchased_at
from match_scope_charge
inner join in_charges as charges
    on charges.original_transaction_id = match_scope_charge.original_transaction_id
    and charges.charge_id = match_scope_charge.charge_id
left join match_token_owner on match_token_owner.token = charges.app_account_token
where charges.type <> 'auto_renewable';
