-- purpose: R03 token mismatch: the purchase carries a token that is neither the order's nor its user's.
-- traps:   no token (bought from the App Store's page, a code redeemed outside, the app was killed) says nothing; a token
--          that changes inside a subscription is the customer's later login, so renewals are left out; households and
--          merged accounts share.
-- parameters: version (bigint)
-- grain:   one suspicion per order
insert into signal_found (
    rule, version, subject_kind, subject_id, bundle_id, user_id, order_id, charge_id, device_id, currency,
    amount_milliunits, score, happened_at, detail, inputs
)
with claimed as (
    select
        order_id, bundle_id, user_id, person, charge_id, device_id, currency, amount_milliunits, booked_at,
        order_token, charge_token, token_user_id, token_person, rung, false as is_matched
    from rule_refused
    where charge_token is not null
        and not coalesce(is_renewal, false)
        and not is_tester
        and environment = 'Production'
        and charge_environment = 'Production'
        and class in ('USER_DIFF', 'REPLAY_MULTI_USER', 'DUP_DELIVERY', 'LATE_VERIFICATION', 'PRODUCT_DIFF')
    union all
    select
        order_id, bundle_id, user_id, person, charge_id, device_id, currency, price_milliunits, ordered_at,
        order_token, charge_token, token_user_id, token_user_id, rung, true
    from rule_sale
    where order_id is not null
        and order_token <> charge_token
        and not is_renewal
        and not is_tester
),
mismatch as (
    select
        claimed.*,
        coalesce(token_household.person, claimed.token_user_id) as owner_person,
        claimant.app_account_token as user_token
    from claimed
    left join users as claimant on claimant.user_id = claimed.user_id
    left join rule_person as token_household on token_household.user_id = claimed.token_user_id
)
select
    'R03',
    :'version'::bigint,
    'order',
    mismatch.order_id,
    mismatch.bundle_id,
    mismatch.user_id,
    mismatch.order_id,
    mismatch.charge_id,
    mismatch.device_id,
    mismatch.currency,
    mismatch.amount_milliunits,
    case when mismatch.token_user_id is null then 1 else 2 end,
    mismatch.booked_at,
    'the purchase carries the token of ' || coalesce('user ' || mismatch.token_user_id, 'nobody we know'),
    json_build_object(
        'order_token', mismatch.order_token, 'user_token', mismatch.user_token, 'charge_token', mismatch.charge_token,
        'token_owner', mismatch.token_user_id, 'user', mismatch.user_id, 'rung', mismatch.rung,
        'is_matched', mismatch.is_matched
    )::text
from mismatch
where coalesce(mismatch.order_token, mismatch.user_token) is not null
    and mismatch.charge_token is distinct from mismatch.order_token
    and mismatch.charge_token is distinct from mismatch.user_token
    and mismatch.owner_person is distinct from mismatch.person;
