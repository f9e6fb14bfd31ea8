-- purpose: an order that claims a charge or evidence that it cannot have, with the class of the refusal. PROD_IN_SANDBOX: a
--          Production charge on a sandbox order. SANDBOX_IN_PROD: a live delivery on a purchase not of Production, which no
--          tester and no open review window allows. DUP_DELIVERY needs two deliveries to one user, and REPLAY_MULTI_USER an
--          order of another user.
-- grain:   one finding per claiming order
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    claim.class,
    'order:' || claim.order_id,
    claim.bundle_id,
    claim.environment,
    claim.order_id,
    claim.charge_id,
    coalesce(charges.transaction_ids[1], evidence.transaction_id, claim.transaction_id),
    claim.user_id,
    coalesce(claim.price_milliunits, charges.price_milliunits),
    coalesce(claim.currency, charges.currency),
    claim.booked_at,
    case claim.class
        when 'APP_ID_DIFF' then phrase('detail.other_app_id', jsonb_build_object('reason', coalesce(evidence.reason, '""')))
        when 'BUNDLE_DIFF' then phrase('detail.other_app', 'app', coalesce(charges.bundle_id, evidence.bundle_id, ''))
        when 'DUP_DELIVERY' then phrase('detail.held_by', 'order', coalesce(claim.counterpart, ''))
        when 'FORGED_SIGNATURE'
            then phrase('detail.not_genuine', jsonb_build_object(
                'id', coalesce(encode(claim.evidence_sha256, 'hex'), ''),
                'reason', coalesce(evidence.reason, '""')
            ))
        when 'LATE_VERIFICATION'
            then phrase('detail.late_order', 'bought', rfc3339(charges.purchased_at), 'ordered', rfc3339(claim.created_at))
        when 'PROD_IN_SANDBOX' then phrase('detail.on_sandbox')
        when 'PRODUCT_DIFF' then phrase('detail.products', 'ours', claim.product_id, 'theirs', coalesce(charges.product_id, ''))
        when 'REPLAY_MULTI_USER'
            then phrase('detail.claims_charge', jsonb_build_object('whose', coalesce(
                phrase('detail.order_of_user', 'order', claim.counterpart, 'user', holder.user_id), phrase('detail.another_user')
            )))
        when 'SANDBOX_IN_PROD'
            then phrase('detail.delivered_on', 'environment', coalesce(charges.environment, nullif(evidence.environment, ''), 'test'))
        when 'USER_DIFF' then phrase('detail.token_of_other')
    end
from detect_open_order as claim
left join detect_refused_charge as charges on charges.charge_id = claim.charge_id
left join detect_refused_evidence as evidence on evidence.sha256 = claim.evidence_sha256
left join detect_allowed_order as allowed on allowed.order_id = claim.order_id
left join in_orders as holder
    on holder.order_id = claim.counterpart
    and claim.class = 'REPLAY_MULTI_USER'
where allowed.order_id is null
    and (
        claim.class in ('APP_ID_DIFF', 'BUNDLE_DIFF', 'FORGED_SIGNATURE', 'PROD_IN_SANDBOX')
        or (claim.class = 'SANDBOX_IN_PROD' and claim.was_delivered)
        or (
            claim.environment = 'Production'
            and (
                claim.class in ('LATE_VERIFICATION', 'PRODUCT_DIFF', 'REPLAY_MULTI_USER', 'USER_DIFF')
                or (claim.class = 'DUP_DELIVERY' and claim.was_delivered)
            )
        )
    );
