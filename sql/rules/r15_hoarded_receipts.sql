-- purpose: R15 hoarded receipts: purchases presented long after they were made, several at once or very old.
-- traps:   one purchase finished late after being offline is no hoard (receipts_min within a span, or older than age_max);
--          in Ask to Buy the purchase is later than the order, never older; testers do not count.
-- parameters: receipts_min (bigint), within, age_max, skew (interval)
-- grain:   one signal per user (merged accounts are one)
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, order_id, charge_id, device_id, currency, amount_milliunits, score,
    happened_at, detail, inputs
)
with late as (
    select
        rule_refused.*,
        rule_refused.created_at - rule_refused.purchased_at as age,
        count(*) over (
            partition by rule_refused.person order by rule_refused.created_at
            range between :'within'::interval preceding and current row
        ) as receipt_count
    from rule_refused
    where rule_refused.class = 'LATE_VERIFICATION'
        and rule_refused.environment = 'Production'
        and not rule_refused.is_tester
        and rule_refused.purchased_at < rule_refused.created_at - :'skew'::interval
),
judged as (
    select
        min(user_id) as user_id,
        min(bundle_id) as bundle_id,
        min(device_id) as device_id,
        count(*) as late_count,
        max(receipt_count) as together_count,
        max(age) as oldest,
        max(booked_at) as last_at,
        array_agg(order_id order by created_at, order_id) as order_ids,
        array_agg(charge_id order by created_at, order_id) as charge_ids,
        case when min(currency) is not distinct from max(currency) then min(currency) end as currency,
        case when min(currency) is not distinct from max(currency) then sum(amount_milliunits) end as amount_milliunits
    from late
    group by person
)
select
    'R15',
    'user',
    judged.user_id,
    judged.bundle_id,
    judged.order_ids[1],
    judged.charge_ids[1],
    judged.device_id,
    judged.currency,
    judged.amount_milliunits,
    judged.late_count,
    judged.last_at,
    phrase('detail.hoarded', jsonb_build_object(
        'count', judged.late_count, 'together', judged.together_count, 'days', floor(extract(epoch from judged.oldest) / 86400)
    )),
    json_build_object(
        'receipts', judged.late_count, 'together', judged.together_count,
        'oldest_days', floor(extract(epoch from judged.oldest) / 86400),
        'order_ids', to_json(judged.order_ids[1:20]), 'charge_ids', to_json(judged.charge_ids[1:20]),
        'last_at', rfc3339(judged.last_at)
    )::text
from judged
where judged.together_count >= :'receipts_min'::bigint
    or judged.oldest > :'age_max'::interval;
