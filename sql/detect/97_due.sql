-- purpose: the instants after the clock at which a difference becomes a break, a period ends, or a fact dated ahead of the
--          clock happens.
-- parameters: as_of (timestamptz)
-- grain:   one row per order or chain and instant
insert into payrecon.detect_due (id, kind, due_at)
select finding.order_id, 'order', finding.breaks_at
from finding
where finding.subject_id = 'order:' || finding.order_id
    and finding.breaks_at > :'as_of'::timestamptz
    and finding.breaks_at < 'infinity'
union
select charges.original_transaction_id, 'chain', finding.breaks_at
from finding
inner join in_charges as charges on charges.charge_id = finding.charge_id
where finding.subject_id not like 'order:%'
    and finding.breaks_at > :'as_of'::timestamptz
    and finding.breaks_at < 'infinity'
union
select detect_renewing.original_transaction_id, 'chain', detect_renewing.over_at
from detect_renewing
where detect_renewing.over_at > :'as_of'::timestamptz
    and detect_renewing.over_at < 'infinity'
union
-- A grace without a stated end is over when Apple stops trying to charge.
select detect_subscription.original_transaction_id, 'chain', retried_until(detect_subscription.expires_at)
from detect_subscription
where detect_subscription.status = 'grace'
    and detect_subscription.grace_until is null
union
select charges.original_transaction_id, 'chain', charges.purchased_at
from in_charges as charges
where charges.purchased_at > :'as_of'::timestamptz
union
select charges.original_transaction_id, 'chain', uploads.received_at
from in_uploads as uploads
inner join in_charges as charges on charges.charge_id = uploads.charge_id
where uploads.received_at > :'as_of'::timestamptz
on conflict do nothing;
