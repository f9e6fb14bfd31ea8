-- purpose: R01 receipt replay: one purchase behind orders of several users.
-- traps:   a restore gives one purchase a second transaction id, so a repeated claim by the same user, household or merged
--          account is no replay; nor is a claim without a delivery, nor a tester's claim.
-- grain:   one signal per order that claimed another user's purchase
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, charge_id, device_id, currency, amount_milliunits, score,
    happened_at, detail, inputs
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
        -- An account erased before the claim was merged into the claimant's.
        and not coalesce(rule_refused.holder_erased_at <= rule_refused.created_at, false)
        and rule_refused.person is distinct from coalesce(rule_refused.holder_person, rule_refused.token_person)
        and not rule_refused.is_of_household
        and rule_refused.is_delivered
)
select
    'R01',
    'order',
    replay.order_id,
    replay.bundle_id,
    replay.user_id,
    replay.charge_id,
    replay.device_id,
    replay.currency,
    replay.amount_milliunits,
    replay.claim_count,
    replay.booked_at,
    phrase('detail.claims_purchase', jsonb_build_object(
        'count', replay.claim_count,
        'whose', coalesce(
            phrase('said.user', 'id', coalesce(replay.holder_user_id, replay.token_user_id)), phrase('detail.somebody_else')
        )
    )),
    json_build_object(
        'charge_id', replay.charge_id, 'transaction_ids', to_json(replay.transaction_ids[1:20]),
        'original_transaction_id', replay.original_transaction_id, 'claimant', replay.user_id,
        'holder', replay.holder_user_id, 'holder_order', replay.holder_order_id, 'token_owner', replay.token_user_id,
        'rung', replay.rung, 'is_delivered', replay.is_delivered, 'claims', replay.claim_count,
        'purchased_at', rfc3339(replay.purchased_at), 'ordered_at', rfc3339(replay.created_at)
    )::text
from replay;
