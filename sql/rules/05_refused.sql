-- purpose: claims that matching refused, with the charge they reached for and whoever holds it.
-- grain:   one row per order that claimed and got nothing
create temp table rule_refused on commit drop as
with token_owner as materialized (
    select owners.token, owners.user_id
    from token_owners(
        array(
            select distinct charges.app_account_token
            from refused_claims
            inner join charges on charges.charge_id = refused_claims.charge_id
            where charges.app_account_token is not null
        )
    ) as owners
)
select
    orders.order_id,
    orders.user_id,
    coalesce(claimant_person.person, orders.user_id) as person,
    orders.device_id,
    orders.status,
    orders.bundle_id,
    orders.product_id,
    orders.environment,
    orders.transaction_id as named_transaction_id,
    orders.entitlement_expires_at,
    coalesce(orders.app_account_token, claimant.app_account_token) as order_token,
    coalesce(orders.currency, charges.currency) as currency,
    coalesce(orders.price_milliunits, charges.price_milliunits) as amount_milliunits,
    orders.status = 'delivered' or orders.delivered_at is not null as is_delivered,
    orders.created_at,
    greatest(orders.created_at, orders.paid_at, orders.delivered_at) as booked_at,
    refused_claims.class,
    refused_claims.rung,
    refused_claims.evidence_sha256,
    charges.charge_id,
    charges.original_transaction_id,
    charges.transaction_ids,
    charges.environment as charge_environment,
    charges.bundle_id as charge_bundle_id,
    charges.type as charge_type,
    charges.app_account_token as charge_token,
    charges.is_renewal,
    charges.purchased_at,
    charges.expires_at,
    charges.revoked_at,
    token_owner.user_id as token_user_id,
    coalesce(token_person.person, token_owner.user_id) as token_person,
    holder.order_id as holder_order_id,
    holder.user_id as holder_user_id,
    holder.transaction_id as holder_transaction_id,
    coalesce(holder_person.person, holder.user_id) as holder_person,
    holder_user.erased_at as holder_erased_at,
    exists (
        select
        from rule_tester
        where rule_tester.bundle_id in (orders.bundle_id, '')
            and rule_tester.user_id = orders.user_id
            and rule_tester.allowed_from <= coalesce(charges.purchased_at, orders.created_at)
            and rule_tester.allowed_to > coalesce(charges.purchased_at, orders.created_at)
    ) as is_tester,
    -- A review window for everybody allows sandbox purchases and makes nobody a tester.
    exists (
        select
        from rule_tester
        where rule_tester.bundle_id in (orders.bundle_id, '')
            and rule_tester.user_id in (orders.user_id, '')
            and rule_tester.allowed_from <= coalesce(charges.purchased_at, orders.created_at)
            and rule_tester.allowed_to > coalesce(charges.purchased_at, orders.created_at)
    ) as is_sandbox_allowed
from refused_claims
inner join orders on orders.order_id = refused_claims.order_id
left join users as claimant on claimant.user_id = orders.user_id
left join rule_person as claimant_person on claimant_person.user_id = orders.user_id
left join charges on charges.charge_id = refused_claims.charge_id
left join token_owner on token_owner.token = charges.app_account_token
left join rule_person as token_person on token_person.user_id = token_owner.user_id
left join matches
    on matches.original_transaction_id = charges.original_transaction_id
    and matches.charge_id = charges.charge_id
left join orders as holder on holder.order_id = matches.order_id
left join users as holder_user on holder_user.user_id = holder.user_id
left join rule_person as holder_person on holder_person.user_id = holder.user_id;
