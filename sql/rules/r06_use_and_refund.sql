-- purpose: R06 use and refund: a user who keeps what was delivered a while and has it refunded, again and again.
-- traps:   a first refund or an unintended purchase is nothing (refunds_min, ratio_percent, use_min); a refund for a fault
--          of the app (Apple's revocation reason 1) is not held against the customer; an upgrade's refund is Apple's.
-- parameters: version (bigint), as_of (timestamptz), window, use_min (interval), refunds_min, ratio_percent, listed_max
--             (bigint)
-- grain:   one suspicion per user (household)
insert into signal_found (
    rule, version, subject_kind, subject_id, bundle_id, user_id, currency, amount_milliunits, score, happened_at,
    detail, inputs
)
with refund as (
    select rule_sale.*
    from rule_sale
    where rule_sale.state in ('refunded', 'partly_refunded')
        and rule_sale.revoked_at >= :'as_of'::timestamptz - :'window'::interval
        and rule_sale.revoked_at <= :'as_of'::timestamptz
        and rule_sale.revoked_at - coalesce(rule_sale.delivered_at, rule_sale.purchased_at) >= :'use_min'::interval
        and rule_sale.user_id is not null
        and not rule_sale.is_tester
),
-- Only users with enough refunds are worth reading what Apple signed about each.
suspect as (
    select person from refund group by person having count(*) >= :'refunds_min'::bigint
),
told as materialized (
    select transactions.charge_id, transactions.evidence_sha256, transactions.is_upgraded
    from refund
    inner join suspect on suspect.person = refund.person
    inner join transactions
        on transactions.original_transaction_id = refund.original_transaction_id
        and transactions.charge_id = refund.charge_id
    where transactions.revoked_at is not null
),
app_fault as (
    select distinct told.charge_id
    from told
    inner join judged_evidence as evidence on evidence.sha256 = told.evidence_sha256
    where evidence.verdict = 'genuine'
        and evidence.kind = 'transaction'
        and (signed_field(evidence.body, evidence.unpacked_length, 'revocationReason') = '1' or told.is_upgraded)
),
held as (
    select refund.*
    from refund
    inner join suspect on suspect.person = refund.person
    where not exists (select 1 from app_fault where app_fault.charge_id = refund.charge_id)
),
bought as (
    select
        rule_sale.person, rule_sale.currency, count(*) as purchase_count,
        sum(rule_sale.price_milliunits) as paid_milliunits
    from rule_sale
    inner join suspect on suspect.person = rule_sale.person
    where rule_sale.price_milliunits > 0
        and rule_sale.purchased_at >= :'as_of'::timestamptz - :'window'::interval
    group by rule_sale.person, rule_sale.currency
),
measured as (
    select
        held.person,
        held.currency,
        min(held.user_id) as user_id,
        min(held.bundle_id) as bundle_id,
        count(*) as refund_count,
        sum(held.refunded_milliunits) as refunded_milliunits,
        array_agg(held.charge_id order by held.revoked_at, held.charge_id) as charge_ids,
        min(held.revoked_at) as first_at,
        max(held.revoked_at) as last_at
    from held
    group by held.person, held.currency
),
judged as (
    select
        measured.*,
        coalesce(bought.paid_milliunits, measured.refunded_milliunits) as paid_milliunits,
        coalesce(bought.purchase_count, measured.refund_count) as purchase_count
    from measured
    left join bought
        on bought.person = measured.person
        and bought.currency is not distinct from measured.currency
    where measured.refund_count >= :'refunds_min'::bigint
)
select distinct on (judged.person)
    'R06',
    :'version'::bigint,
    'user',
    judged.user_id,
    judged.bundle_id,
    judged.user_id,
    judged.currency,
    judged.refunded_milliunits,
    judged.refund_count,
    judged.last_at,
    judged.refund_count || ' refunds after use, ' || money_text(judged.refunded_milliunits, coalesce(judged.currency, '?'))
        || ' of ' || money_text(judged.paid_milliunits, coalesce(judged.currency, '?')),
    json_build_object(
        'refunds', judged.refund_count, 'purchases', judged.purchase_count,
        'refunded_milliunits', judged.refunded_milliunits, 'paid_milliunits', judged.paid_milliunits,
        'currency', judged.currency,
        'charge_ids', to_json(judged.charge_ids[1:(:'listed_max'::bigint)::integer]),
        'first_at', rfc3339(judged.first_at), 'last_at', rfc3339(judged.last_at)
    )::text
from judged
where judged.refunded_milliunits * 100 >= judged.paid_milliunits * :'ratio_percent'::bigint
order by judged.person, judged.refund_count desc, judged.currency;
