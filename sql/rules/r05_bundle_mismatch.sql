-- purpose: R05 bundle mismatch: a receipt of another app presented for one of our orders.
-- traps:   white-label apps share a backend: their bundle ids are a parameter.
-- parameters: white_label_bundles (text[])
-- grain:   one signal per order
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, charge_id, device_id, currency, amount_milliunits, score,
    happened_at, detail, inputs
)
with presented as materialized (
    select distinct evidence.sha256, evidence.bundle_id
    from rule_refused
    inner join judged_evidence as evidence on evidence.sha256 = rule_refused.evidence_sha256
    where rule_refused.class in ('BUNDLE_DIFF', 'APP_ID_DIFF')
),
foreign_claim as (
    select
        rule_refused.*,
        coalesce(rule_refused.charge_bundle_id, nullif(presented.bundle_id, '')) as presented_bundle_id
    from rule_refused
    left join presented on presented.sha256 = rule_refused.evidence_sha256
    where rule_refused.class in ('BUNDLE_DIFF', 'APP_ID_DIFF')
        and rule_refused.environment = 'Production'
        and not rule_refused.is_tester
)
select
    'R05',
    'order',
    foreign_claim.order_id,
    foreign_claim.bundle_id,
    foreign_claim.user_id,
    foreign_claim.charge_id,
    foreign_claim.device_id,
    foreign_claim.currency,
    foreign_claim.amount_milliunits,
    count(*) over (partition by foreign_claim.user_id),
    foreign_claim.booked_at,
    phrase('detail.presented_other', jsonb_build_object(
        'app', coalesce(to_jsonb(foreign_claim.presented_bundle_id), phrase('detail.another_app'))
    )),
    json_build_object(
        'order_bundle', foreign_claim.bundle_id, 'presented_bundle', foreign_claim.presented_bundle_id,
        'class', foreign_claim.class, 'evidence_sha256', encode(foreign_claim.evidence_sha256, 'hex'),
        'is_delivered', foreign_claim.is_delivered,
        'such_orders_of_user', count(*) over (partition by foreign_claim.user_id)
    )::text
from foreign_claim
where not coalesce(foreign_claim.presented_bundle_id = any(:'white_label_bundles'::text[]), false);
