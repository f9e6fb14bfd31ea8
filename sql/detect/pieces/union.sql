-- purpose: adds the findings of all partitions to those of the whole-database classes and of the scope. The scope contains
--          facts that changed during the run and everything they reach; partition findings about it are left out. All are
--          then compared with every open and pending break.
-- grain:   one row per difference
insert into detect_judged (
    break_id, family, severity, class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, currency,
    detail, amount_milliunits, breaks_at, is_delivered, is_pending
)
select
    found.break_id, found.family, found.severity, found.class, found.subject_id, found.bundle_id, found.environment,
    found.order_id, found.charge_id, found.transaction_id, found.user_id, found.currency, found.detail,
    found.amount_milliunits, found.breaks_at, found.is_delivered, found.is_pending
from piece_breaks as found
where found.subject_id not in (select scope_subject.subject_id from scope_subject);
truncate in_open_breaks, in_pending_breaks;
insert into in_open_breaks
select * from open_breaks;
insert into in_pending_breaks
select * from pending_breaks;
analyze detect_judged, in_open_breaks, in_pending_breaks;
