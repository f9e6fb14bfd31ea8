-- purpose: R16 not finished: one consumable presented for verification repeatedly.
-- traps:   a bad network repeats within minutes: attempts in one span of retry_gap count once; attempts of a user who was a
--          tester at the instant of the purchase do not count.
-- parameters: as_of (timestamptz), window, retry_gap (interval), attempts_min (bigint)
-- grain:   one signal per charge
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, device_id, currency, amount_milliunits, score, happened_at, detail,
    inputs
)
with upload as not materialized (
    select uploads.charge_id, uploads.user_id, uploads.device_id, uploads.received_at
    from in_uploads as uploads
    where uploads.source = 'client'
        and uploads.charge_id is not null
        and uploads.received_at >= :'as_of'::timestamptz - :'window'::interval
        and uploads.received_at <= :'as_of'::timestamptz
),
frequent as materialized (
    select upload.charge_id from upload group by upload.charge_id having count(*) >= :'attempts_min'::bigint
),
attempt as (
    select
        upload.*, charges.bundle_id, charges.currency, charges.price_milliunits,
        lag(upload.received_at) over (
            partition by upload.charge_id order by upload.received_at, upload.user_id, upload.device_id
        ) as previous_at
    from frequent
    inner join in_charges as charges on charges.charge_id = frequent.charge_id
    inner join upload on upload.charge_id = frequent.charge_id
    where charges.type = 'consumable'
        and charges.environment = 'Production'
        and not exists (
            select 1
            from rule_tester
            where rule_tester.user_id = nullif(upload.user_id, '')
                and rule_tester.bundle_id in (charges.bundle_id, '')
                and rule_tester.allowed @> charges.purchased_at
        )
),
measured as (
    select
        charge_id,
        min(bundle_id) as bundle_id,
        min(currency) as currency,
        min(price_milliunits) as price_milliunits,
        count(*) filter (
            where previous_at is null or received_at - previous_at > :'retry_gap'::interval
        ) as attempt_count,
        count(*) as upload_count,
        count(distinct nullif(user_id, '')) as user_count,
        min(nullif(user_id, '')) as user_id,
        min(nullif(device_id, '')) as device_id,
        min(received_at) as first_at,
        max(received_at) as last_at
    from attempt
    group by charge_id
)
select
    'R16',
    'charge',
    measured.charge_id,
    measured.bundle_id,
    case when measured.user_count = 1 then measured.user_id end,
    measured.device_id,
    measured.currency,
    measured.price_milliunits,
    measured.attempt_count,
    measured.last_at,
    phrase('detail.presented_times', jsonb_build_object(
        'count', measured.attempt_count, 'from', rfc3339(measured.first_at), 'to', rfc3339(measured.last_at)
    )),
    json_build_object(
        'attempts', measured.attempt_count, 'uploads', measured.upload_count, 'users', measured.user_count,
        'first_at', rfc3339(measured.first_at), 'last_at', rfc3339(measured.last_at)
    )::text
from measured
where measured.attempt_count >= :'attempts_min'::bigint;
