-- purpose: replaces the pending differences by this run's.
delete from pending_breaks;
insert into pending_breaks (
    break_id, family, subject_id, class, bundle_id, environment, order_id, charge_id, transaction_id, user_id, currency,
    detail, amount_milliunits, breaks_at
)
select
    break_id, family, subject_id, class, bundle_id, environment, order_id, charge_id, transaction_id, user_id, currency,
    detail, amount_milliunits, breaks_at
from detect_judged
where is_pending;
