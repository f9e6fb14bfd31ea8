-- purpose: claims that matching refused, with the charge that they claimed and the charge's holder.
-- grain:   one row per order with a refused claim
create temp table rule_refused on commit drop as
with claim as materialized (
    select
        orders.*, refused_claims.class, refused_claims.rung, refused_claims.charge_id,
        refused_claims.evidence_sha256 as claimed_sha256
    from refused_claims
    inner join orders on orders.order_id = refused_claims.order_id
),
claimant as materialized (
    select users.user_id, users.app_account_token
    from (select distinct claim.user_id from claim) as named
    inner join users on users.user_id = named.user_id
),
reached as materialized (
    select charges.*
    from (select distinct claim.charge_id from claim) as named
    inner join charges on charges.charge_id = named.charge_id
),
token_owner as materialized (
    select owners.token, owners.user_id
    from token_owners(
        array(select distinct reached.app_account_token from reached where reached.app_account_token is not null)
    ) as owners
),
holder_order as materialized (
    select matches.original_transaction_id, matches.charge_id, matches.order_id
    from reached
    inner join matches using (original_transaction_id, charge_id)
),
holder as materialized (
    select
        holder_order.original_transaction_id as held_original, holder_order.charge_id, orders.order_id, orders.user_id
    from holder_order
    inner join orders on orders.order_id = holder_order.order_id
),
holder_user as materialized (
    select users.user_id, users.erased_at
    from (select distinct holder.user_id from holder) as named
    inner join users on users.user_id = named.user_id
)
select
    claim.order_id,
    claim.user_id,
    coalesce(claimant_person.person, claim.user_id) as person,
    coalesce(claimant_person.household, claim.user_id) as household,
    claim.device_id,
    claim.bundle_id,
    claim.environment,
    claim.entitlement_expires_at,
    coalesce(claim.app_account_token, claimant.app_account_token) as order_token,
    coalesce(claim.currency, reached.currency) as currency,
    coalesce(claim.price_milliunits, reached.price_milliunits) as amount_milliunits,
    claim.status = 'delivered' or claim.delivered_at is not null as is_delivered,
    claim.created_at,
    greatest(claim.created_at, claim.paid_at, claim.delivered_at) as booked_at,
    claim.class,
    claim.rung,
    claim.claimed_sha256 as evidence_sha256,
    reached.charge_id,
    reached.original_transaction_id,
    reached.transaction_ids,
    reached.environment as charge_environment,
    reached.bundle_id as charge_bundle_id,
    reached.type as charge_type,
    reached.app_account_token as charge_token,
    reached.is_renewal,
    reached.purchased_at,
    reached.expires_at,
    reached.revoked_at,
    token_owner.user_id as token_user_id,
    coalesce(token_person.person, token_owner.user_id) as token_person,
    holder.order_id as holder_order_id,
    holder.user_id as holder_user_id,
    coalesce(holder_person.person, holder.user_id) as holder_person,
    coalesce(holder_person.household, holder.user_id) as holder_household,
    holder_user.erased_at as holder_erased_at,
    exists (
        select 1
        from rule_household as one
        inner join rule_household as other on other.family = one.family
        where one.user_id = claim.user_id
            and other.user_id = coalesce(holder.user_id, token_owner.user_id)
            and one.covers * other.covers @> claim.created_at
    ) as is_of_household,
    -- A review window for all users allows sandbox purchases, but makes nobody a tester.
    coalesce(tester.is_named, false) as is_tester,
    tester.is_named is not null as is_sandbox_allowed
from claim
left join claimant on claimant.user_id = claim.user_id
left join rule_person as claimant_person on claimant_person.user_id = claim.user_id
left join reached on reached.charge_id = claim.charge_id
left join token_owner on token_owner.token = reached.app_account_token
left join rule_person as token_person on token_person.user_id = token_owner.user_id
left join holder
    on holder.held_original = reached.original_transaction_id
    and holder.charge_id = reached.charge_id
left join holder_user on holder_user.user_id = holder.user_id
left join rule_person as holder_person on holder_person.user_id = holder.user_id
cross join lateral (
    select bool_or(rule_tester.user_id <> '') as is_named
    from rule_tester
    where rule_tester.bundle_id in (claim.bundle_id, '')
        and rule_tester.user_id in (claim.user_id, '')
        and rule_tester.allowed @> coalesce(reached.purchased_at, claim.created_at)
) as tester;
