-- purpose: updates the queue to the polls that the facts require. Leased polls are left to their worker. Unchanged rows are
--          not touched, because leases skip rows locked here.
-- parameters: now (timestamptz): the clock of the leases
-- grain:   one row per new or changed poll
insert into poll_queue as known (
    original_transaction_id, bundle_id, environment, slot, currency, exposure_milliunits, opens_at, due_at
)
with polled as materialized (
    select polls.original_transaction_id, polls.bundle_id, polls.slot_at
    from staged_poll
    inner join polls using (original_transaction_id, bundle_id)
    where polls.slot_at = staged_poll.due_at
        and polls.environment = 'Production'
)
select
    staged_poll.original_transaction_id, staged_poll.bundle_id, 'Production', staged_poll.slot,
    staged_poll.currency, staged_poll.exposure_milliunits, staged_poll.opens_at, staged_poll.due_at
from staged_poll
left join poll_queue
    on poll_queue.original_transaction_id = staged_poll.original_transaction_id
    and poll_queue.bundle_id = staged_poll.bundle_id
    and poll_queue.environment = 'Production'
where (
    poll_queue.slot is null
    or (
        (poll_queue.lease_until is null or poll_queue.lease_until <= :'now'::timestamptz)
        and (
            poll_queue.slot, poll_queue.opens_at, poll_queue.due_at, poll_queue.currency, poll_queue.exposure_milliunits
        ) is distinct from (
            staged_poll.slot, staged_poll.opens_at, staged_poll.due_at, staged_poll.currency, staged_poll.exposure_milliunits
        )
    )
)
and not exists (
    select 1
    from polled
    where polled.original_transaction_id = staged_poll.original_transaction_id
        and polled.bundle_id = staged_poll.bundle_id
        and polled.slot_at = staged_poll.due_at
)
order by staged_poll.original_transaction_id, staged_poll.bundle_id
on conflict (original_transaction_id, bundle_id, environment) do update
set
    slot = excluded.slot,
    currency = excluded.currency,
    exposure_milliunits = excluded.exposure_milliunits,
    opens_at = excluded.opens_at,
    due_at = excluded.due_at,
    worker = null,
    lease_until = null,
    last_fault = null,
    fault_count = 0
where (known.lease_until is null or known.lease_until <= :'now'::timestamptz)
    and (known.slot, known.opens_at, known.due_at, known.currency, known.exposure_milliunits)
    is distinct from (
        excluded.slot, excluded.opens_at, excluded.due_at, excluded.currency, excluded.exposure_milliunits
    );
