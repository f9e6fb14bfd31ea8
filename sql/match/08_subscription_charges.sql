-- purpose: the charges of the scope that renew, with the user their token or chain names, the owner of the chain as far as
--          its earliest known token names one, and the interval in which their order is booked.
-- parameters: window (interval): how long before a renewal its order may be booked
-- grain:   one row per charge
insert into match_charge (
    charge_id, original_transaction_id, environment, bundle_id, product_id, type, ownership, token, owner,
    chain_owner, quantity, is_renewal, purchased_at, booking_from, booking_to,
    next_booking_from, next_access_from
)
with subscription_charge as (
    select
        charges.charge_id,
        charges.original_transaction_id,
        charges.environment,
        charges.bundle_id,
        charges.product_id,
        charges.type,
        charges.ownership,
        charges.app_account_token,
        match_token_owner.user_id as token_user,
        charges.quantity,
        charges.is_renewal,
        charges.purchased_at,
        charges.expires_at,
        booking_lead(charges.purchased_at, charges.expires_at, :'window'::interval) as lead_time
    from match_scope_charge
    inner join in_charges as charges
        on charges.original_transaction_id = match_scope_charge.original_transaction_id
        and charges.charge_id = match_scope_charge.charge_id
    left join match_token_owner on match_token_owner.token = charges.app_account_token
    where charges.type = 'auto_renewable'
),
placed as (
    select
        subscription_charge.*,
        (
            array_agg(token_user) filter (where token_user is not null) over (
                partition by environment, bundle_id, original_transaction_id
                order by purchased_at, charge_id rows between unbounded preceding and unbounded following
            )
        )[1] as named_user,
        lead(purchased_at - lead_time) over (
            partition by environment, bundle_id, original_transaction_id order by purchased_at, charge_id
        ) as charged_again_from
    from subscription_charge
)
select
    charge_id,
    original_transaction_id,
    environment,
    bundle_id,
    product_id,
    type,
    ownership,
    app_account_token,
    coalesce(token_user, named_user),
    named_user,
    quantity,
    is_renewal,
    purchased_at,
    purchased_at - lead_time,
    -- What is booked after the end is for a period that was never charged.
    least(charged_again_from, expires_at, 'infinity'),
    expires_at - lead_time,
    expires_at + (expires_at - purchased_at) / 2
from placed;
