-- purpose: R01 receipt replay: one purchase behind orders of several users.
-- traps:   a restore gives a second transaction id for one purchase: the same user, household or merged account claiming
--          again is no replay; nor is a claim for which nothing was handed out, nor a tester's.
-- parameters: version (bigint)
-- grain:   one suspicion per order that claimed a purchase somebody else holds
insert into signal_found (
    rule, version, subject_kind, subject_id, bundle_id, user_id, order_id, charge_id, device_id, currency,
    amount_milliunits, score, happened_at, detail, inputs
)
with replay as (
    select
        rule_refused.*,
        count(*) over (partition by rule_refused.charge_id) as claim_count
    from rule_refused
    where rule_refused.class = 'REPLAY_MULTI_USER'
        and rule_refused.environment = 'Production'
        and rule_refused.charge_id is not null
        and not rule_refused.is_tester
        -- An account that was given up before the claim was merged into the claimant's.
        and not coalesce(rule_refused.holder_erased_at <= rule_refused.created_at, false)
        and rule_refused.person is distinct from coalesce(rule_refused.holder_person, rule_refused.token_person)
        and not rule_refused.is_of_household
        and rule_refused.is_delivered
)
select
    'R01',
    :'version'::bigint,
    'order',
    replay.order_id,
    replay.bundle_id,
    replay.user_id,
    replay.order_id,
    replay.charge_id,
    replay.device_id,
    replay.currency,
    replay.amount_milliunits,
    replay.claim_count,
    replay.booked_at,
    'claims the purchase of ' || coalesce('user ' || coalesce(replay.holder_user_id, replay.token_user_id), 'somebody else')
        || '; ' || replay.claim_count || ' such claims on it',
    json_build_object(
        'charge_id', replay.charge_id, 'transaction_ids', to_json(replay.transaction_ids[1:20]),
        'original_transaction_id', replay.original_transaction_id, 'claimant', replay.user_id,
        'holder', replay.holder_user_id, 'holder_order', replay.holder_order_id, 'token_owner', replay.token_user_id,
        'rung', replay.rung, 'is_delivered', replay.is_delivered, 'claims', replay.claim_count,
        'purchased_at', rfc3339(replay.purchased_at), 'ordered_at', rfc3339(replay.created_at)
    )::text
from replay;
