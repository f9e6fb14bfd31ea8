-- purpose: the events of this run: one for every break that opens, changes, reopens or resolves.
-- parameters: run_id (text), as_of (timestamptz)
-- grain:   one event per changed break
create temp table detect_changed on commit drop as
with found as (
    select * from detect_judged where not is_pending
),
changed as (
    select
        found.break_id, found.family, found.subject_id, found.class, found.severity, found.bundle_id,
        found.environment, found.order_id, found.charge_id, found.transaction_id, found.user_id, found.currency,
        found.detail, found.amount_milliunits, found.is_delivered, true as is_open, found.breaks_at as opened_at,
        case when not compared.is_news then coalesce(detect_latest.news_at, detect_latest.as_of) end as news_at,
        detect_latest.as_of as previous_as_of, detect_latest.attempt as previous_attempt
    from found
    left join detect_latest on detect_latest.break_id = found.break_id
    cross join lateral (
        select
            detect_latest.break_id is null
            or not detect_latest.is_open
            or (detect_latest.class, detect_latest.detail, detect_latest.severity)
                <> (found.class, found.detail, found.severity)
            or (
                detect_latest.amount_milliunits, detect_latest.currency, detect_latest.order_id, detect_latest.charge_id,
                detect_latest.transaction_id, detect_latest.user_id, detect_latest.bundle_id, detect_latest.environment
            ) is distinct from (
                found.amount_milliunits, found.currency, found.order_id, found.charge_id, found.transaction_id, found.user_id,
                found.bundle_id, found.environment
            )
            or coalesce(detect_latest.is_delivered <> found.is_delivered, false) as is_news
    ) as compared
    where compared.is_news
        or detect_latest.opened_at <> found.breaks_at
    union all
    select
        detect_latest.break_id, detect_latest.family, detect_latest.subject_id, detect_latest.class,
        detect_latest.severity, detect_latest.bundle_id, detect_latest.environment, detect_latest.order_id,
        detect_latest.charge_id, detect_latest.transaction_id, detect_latest.user_id, detect_latest.currency,
        detect_latest.detail, detect_latest.amount_milliunits, detect_latest.is_delivered, false, detect_latest.opened_at, null,
        detect_latest.as_of, detect_latest.attempt
    from detect_latest
    where detect_latest.is_open
        -- Breaks of a tie-out are resolved only by a tie-out, all others only by detect.
        and detect_latest.is_asked
        and not exists (select 1 from found where found.break_id = detect_latest.break_id)
)
select
    break_id,
    case when previous_as_of >= :'as_of'::timestamptz then previous_attempt + 1 else 1 end as attempt,
    family, subject_id, class, severity, bundle_id, environment, order_id, charge_id, transaction_id, user_id, currency,
    detail, :'run_id'::text as run_id, amount_milliunits, is_delivered, is_open,
    greatest(:'as_of'::timestamptz, previous_as_of) as as_of,
    opened_at, news_at
from changed;
