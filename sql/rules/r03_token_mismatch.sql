-- purpose: R03 token mismatch: the purchase carries a token that belongs neither to the order nor to its user.
-- traps:   a missing token (App Store page, redeemed code, killed app) means nothing, and so does a token of nobody known where
--          the order's side has none; a token that changes inside a subscription is the customer's later login, so renewals are
--          left out; households and merged accounts share tokens.
-- parameters: as_of (timestamptz), window (interval): maximum age of a matched purchase
-- grain:   one signal per order
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, charge_id, device_id, currency, amount_milliunits, score,
    happened_at, detail, inputs
)
with differing as materialized (
    select
        pair.order_id, pair.bundle_id, pair.user_id, pair.charge_id, pair.device_id, pair.charge_currency as currency,
        pair.charge_milliunits as price_milliunits, pair.created_at, pair.order_token, pair.charge_token, pair.rung
    from differing_pair as pair
    -- M2 matched by the token itself.
    where pair.rung in ('M1', 'M3', 'M5', 'M6')
        and pair.ownership = 'PURCHASED'
        and pair.purchased_at >= :'as_of'::timestamptz - :'window'::interval
        and coalesce(pair.order_token, pair.user_token) <> pair.charge_token
        and not pair.is_renewal
        and not exists (
            select 1
            from rule_tester
            where rule_tester.user_id = pair.user_id
                and rule_tester.bundle_id in (pair.bundle_id, '')
                and rule_tester.allowed @> pair.purchased_at
        )
),
claimed as (
    select
        order_id, bundle_id, user_id, person, charge_id, device_id, currency, amount_milliunits, booked_at,
        order_token, charge_token, token_user_id, rung, false as is_matched, created_at
    from rule_refused
    where charge_token is not null
        and not coalesce(is_renewal, false)
        and not is_tester
        and environment = 'Production'
        and charge_environment = 'Production'
        and class in ('USER_DIFF', 'REPLAY_MULTI_USER', 'DUP_DELIVERY', 'LATE_VERIFICATION', 'PRODUCT_DIFF')
    union all
    select
        differing.order_id, differing.bundle_id, differing.user_id, coalesce(rule_person.person, differing.user_id),
        differing.charge_id, differing.device_id, differing.currency, differing.price_milliunits, differing.created_at,
        differing.order_token, differing.charge_token, owner.user_id, differing.rung, true, differing.created_at
    from differing
    left join rule_person on rule_person.user_id = differing.user_id
    left join token_owners(array(select distinct differing.charge_token from differing)) as owner
        on owner.token = differing.charge_token
),
claimant as materialized (
    select users.user_id, users.app_account_token
    from (select distinct claimed.user_id from claimed) as named
    inner join users on users.user_id = named.user_id
),
own_token as materialized (
    select user_tokens.user_id, user_tokens.app_account_token
    from (select distinct claimed.user_id, claimed.charge_token from claimed) as named
    inner join user_tokens
        on user_tokens.app_account_token = named.charge_token
        and user_tokens.user_id = named.user_id
),
mismatch as (
    select
        claimed.*,
        coalesce(token_person.person, claimed.token_user_id) as owner_person,
        exists (
            select 1
            from rule_household as one
            inner join rule_household as other on other.family = one.family
            where one.user_id = claimed.user_id
                and other.user_id = claimed.token_user_id
                and one.covers * other.covers @> claimed.created_at
        ) as is_of_household,
        claimant.app_account_token as user_token,
        exists (
            select 1
            from own_token
            where own_token.app_account_token = claimed.charge_token
                and own_token.user_id = claimed.user_id
        ) as is_users_own
    from claimed
    left join claimant on claimant.user_id = claimed.user_id
    left join rule_person as token_person on token_person.user_id = claimed.token_user_id
)
select
    'R03',
    'order',
    mismatch.order_id,
    mismatch.bundle_id,
    mismatch.user_id,
    mismatch.charge_id,
    mismatch.device_id,
    mismatch.currency,
    mismatch.amount_milliunits,
    case when mismatch.token_user_id is null then 1 else 2 end,
    mismatch.booked_at,
    phrase('detail.carries_token_of', jsonb_build_object(
        'whose', coalesce(phrase('said.user', 'id', mismatch.token_user_id), phrase('detail.nobody_known'))
    )),
    json_build_object(
        'order_token', mismatch.order_token, 'user_token', mismatch.user_token, 'charge_token', mismatch.charge_token,
        'token_owner', mismatch.token_user_id, 'user', mismatch.user_id, 'rung', mismatch.rung,
        'is_matched', mismatch.is_matched
    )::text
from mismatch
where (coalesce(mismatch.order_token, mismatch.user_token) is not null or mismatch.token_user_id is not null)
    and mismatch.charge_token is distinct from mismatch.order_token
    and not mismatch.is_users_own
    and not mismatch.is_of_household
    and mismatch.owner_person is distinct from mismatch.person;
