-- purpose: ends pending breaks that are over or changed; ended_pending_breaks keeps their history.
-- parameters: as_of (timestamptz)
-- grain:   one row per ended difference
with ended as materialized (
    select pending_breaks.*
    from in_pending_breaks as pending_breaks
    where not exists (
        select 1
        from detect_judged
        where detect_judged.is_pending
            and detect_judged.break_id = pending_breaks.break_id
            and (
                detect_judged.class, detect_judged.breaks_at, detect_judged.order_id, detect_judged.charge_id,
                detect_judged.transaction_id, detect_judged.user_id, detect_judged.currency, detect_judged.detail,
                detect_judged.amount_milliunits, detect_judged.bundle_id, detect_judged.environment
            ) is not distinct from (
                pending_breaks.class, pending_breaks.breaks_at, pending_breaks.order_id, pending_breaks.charge_id,
                pending_breaks.transaction_id, pending_breaks.user_id, pending_breaks.currency, pending_breaks.detail,
                pending_breaks.amount_milliunits, pending_breaks.bundle_id, pending_breaks.environment
            )
    )
),
ending as (
    delete from payrecon.pending_breaks as standing
    using ended
    where standing.break_id = ended.break_id
    returning ended.*
)
insert into payrecon.ended_pending_breaks (
    break_id, family, subject_id, class, bundle_id, environment, order_id, charge_id, transaction_id, user_id, currency,
    detail, amount_milliunits, breaks_at, valid_from, valid_to
)
select
    break_id, family, subject_id, class, bundle_id, environment, order_id, charge_id, transaction_id, user_id, currency,
    detail, amount_milliunits, breaks_at, valid_from, :'as_of'::timestamptz
from ending
where valid_from < :'as_of'::timestamptz
on conflict do nothing;
