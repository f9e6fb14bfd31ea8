-- purpose: R04 sandbox leak: live goods delivered on a Sandbox, Xcode or LocalTesting purchase.
-- traps:   TestFlight and App Review buy in the sandbox: listed testers and review windows are allowed, and so is a delivery
--          without value.
-- grain:   one signal per order
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, charge_id, device_id, currency, amount_milliunits, score,
    happened_at, detail, inputs
)
select
    'R04',
    'order',
    rule_refused.order_id,
    rule_refused.bundle_id,
    rule_refused.user_id,
    rule_refused.charge_id,
    rule_refused.device_id,
    rule_refused.currency,
    rule_refused.amount_milliunits,
    count(*) over (partition by rule_refused.user_id),
    rule_refused.booked_at,
    phrase('detail.delivered_sandbox', 'environment', coalesce(rule_refused.charge_environment, 'sandbox')),
    json_build_object(
        'charge_environment', rule_refused.charge_environment, 'order_environment', rule_refused.environment,
        'user', rule_refused.user_id, 'such_orders_of_user', count(*) over (partition by rule_refused.user_id),
        'purchased_at', rfc3339(rule_refused.purchased_at), 'ordered_at', rfc3339(rule_refused.created_at)
    )::text
from rule_refused
where rule_refused.class = 'SANDBOX_IN_PROD'
    and rule_refused.environment = 'Production'
    and rule_refused.is_delivered
    and not rule_refused.is_sandbox_allowed
    and coalesce(rule_refused.amount_milliunits, 1) > 0;
