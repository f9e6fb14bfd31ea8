-- purpose: leases due polls to a worker, those with the most money first. Amounts are compared within their currency by
--          percentile. Rows locked by other workers are skipped. One lease takes a sixteenth of the due polls, so that workers
--          end together, but at least sixteen.
-- parameters: bundle_id, worker (text), as_of, ahead_to (timestamptz): polls that are open at as_of and due before ahead_to
--             are leased, now, lease_until (timestamptz): the clock of the leases, row_max (bigint)
-- grain:   one row per leased poll
with due as (
    select
        poll_queue.original_transaction_id, poll_queue.bundle_id, poll_queue.environment, poll_queue.due_at,
        10000 * rank() over (partition by poll_queue.currency order by poll_queue.exposure_milliunits)
        / count(*) over (partition by poll_queue.currency) as urgency
    from poll_queue
    where poll_queue.bundle_id = :'bundle_id'::text
        and poll_queue.environment = 'Production'
        and poll_queue.opens_at <= :'as_of'::timestamptz
        and poll_queue.due_at <= :'ahead_to'::timestamptz
        and (poll_queue.lease_until is null or poll_queue.lease_until <= :'now'::timestamptz)
),
wanted as (
    select poll_queue.original_transaction_id, poll_queue.bundle_id, poll_queue.environment
    from due
    inner join poll_queue using (original_transaction_id, bundle_id, environment, due_at)
    where poll_queue.lease_until is null or poll_queue.lease_until <= :'now'::timestamptz
    order by due.urgency desc, due.due_at, due.original_transaction_id
    limit least(:'row_max'::bigint, greatest(16, (select count(*) / 16 from due)))
    for update of poll_queue skip locked
)
update poll_queue
set worker = :'worker'::text, lease_until = :'lease_until'::timestamptz
from wanted
where poll_queue.original_transaction_id = wanted.original_transaction_id
    and poll_queue.bundle_id = wanted.bundle_id
    and poll_queue.environment = wanted.environment
returning poll_queue.original_transaction_id, poll_queue.slot, poll_queue.due_at;
