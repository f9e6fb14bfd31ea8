-- purpose: R06 use and refund: a user who repeatedly uses delivered goods for a while and has them refunded.
-- traps:   a first refund or an unintended purchase does not count (refunds_min, use_min), nor goods that were not delivered
--          before. Refunds are compared with all purchases from a window before the first refunded purchase (ratio_percent),
--          by value, or by number with several currencies; many kept purchases speak for the customer. Refunds for a fault
--          of the app (Apple's revocation reason 1) and refunds of upgrades do not count.
-- parameters: as_of (timestamptz), window, use_min (interval), refunds_min, ratio_percent, listed_max (bigint)
-- grain:   one signal per user (merged accounts are one)
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, currency, amount_milliunits, score, happened_at, detail, inputs
)
with refund as (
    select rule_sale.*
    from rule_sale
    where rule_sale.state in ('refunded', 'partly_refunded')
        and rule_sale.revoked_at >= :'as_of'::timestamptz - :'window'::interval
        and rule_sale.revoked_at <= :'as_of'::timestamptz
        and rule_sale.revoked_at - rule_sale.delivered_at >= :'use_min'::interval
        and rule_sale.user_id is not null
        and not rule_sale.is_tester
),
-- Restricts to users with enough refunds before Apple's signed statements are read.
suspect as (
    select person from refund group by person having count(*) >= :'refunds_min'::bigint
),
statement as materialized (
    select transactions.charge_id, transactions.evidence_sha256, transactions.is_upgraded
    from refund
    inner join suspect on suspect.person = refund.person
    inner join transactions using (original_transaction_id, charge_id)
    where transactions.revoked_at is not null
),
app_fault as (
    select distinct statement.charge_id
    from statement
    inner join judged_evidence as evidence on evidence.sha256 = statement.evidence_sha256
    left join signed_headers on signed_headers.header_key = evidence.header_key
    where evidence.verdict = 'genuine'
        and evidence.kind = 'transaction'
        and (
            signed_field(signed_headers.frame, evidence.body, evidence.unpacked_length, 'revocationReason') = '1'
            or statement.is_upgraded
        )
),
measured as (
    select
        refund.person,
        min(refund.user_id) as user_id,
        min(refund.bundle_id) as bundle_id,
        count(*) as refund_count,
        sum(refund.refunded_milliunits) as refunded_milliunits,
        bool_and(refund.refunded_milliunits > 0) as is_known,
        array_agg(refund.charge_id order by refund.revoked_at, refund.charge_id) as charge_ids,
        min(refund.purchased_at) - :'window'::interval as bought_from,
        min(refund.revoked_at) as first_at,
        max(refund.revoked_at) as last_at
    from refund
    inner join suspect on suspect.person = refund.person
    where not exists (select 1 from app_fault where app_fault.charge_id = refund.charge_id)
    group by refund.person
    having count(*) >= :'refunds_min'::bigint
),
judged as (
    select
        measured.person, measured.user_id, measured.bundle_id, measured.refund_count, measured.charge_ids, measured.first_at,
        measured.last_at, measured.refunded_milliunits, count(*) as purchase_count, sum(bought.price_milliunits) as paid_milliunits,
        case
            when measured.is_known
                and min(bought.currency) = max(bought.currency)
                and count(*) = count(bought.price_milliunits) then min(bought.currency)
        end as currency
    from measured
    inner join rule_sale_charge as bought on bought.person = measured.person
    where bought.purchased_at >= measured.bought_from
        and coalesce(bought.price_milliunits, 1) > 0
    group by
        measured.person, measured.user_id, measured.bundle_id, measured.refund_count, measured.charge_ids, measured.first_at,
        measured.last_at, measured.refunded_milliunits, measured.is_known
)
select
    'R06',
    'user',
    judged.user_id,
    judged.bundle_id,
    judged.currency,
    case when judged.currency is not null then judged.refunded_milliunits end,
    judged.refund_count,
    judged.last_at,
    case
        when judged.currency is null
            then phrase('detail.refunds_of_purchases', jsonb_build_object('count', judged.refund_count, 'bought', judged.purchase_count))
        else phrase('detail.refunds_after_use', jsonb_build_object(
            'count', judged.refund_count, 'refunded', money_text(judged.refunded_milliunits, judged.currency),
            'paid', money_text(judged.paid_milliunits, judged.currency)
        ))
    end,
    json_build_object(
        'refunds', judged.refund_count, 'purchases', judged.purchase_count,
        'refunded_milliunits', case when judged.currency is not null then judged.refunded_milliunits end,
        'paid_milliunits', case when judged.currency is not null then judged.paid_milliunits end,
        'currency', judged.currency,
        'charge_ids', to_json(judged.charge_ids[1:(:'listed_max'::bigint)::integer]),
        'first_at', rfc3339(judged.first_at), 'last_at', rfc3339(judged.last_at)
    )::text
from judged
where case
    when judged.currency is null then judged.refund_count * 100 >= judged.purchase_count * :'ratio_percent'::bigint
    else judged.refunded_milliunits * 100 >= judged.paid_milliunits * :'ratio_percent'::bigint
end;
