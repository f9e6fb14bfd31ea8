-- purpose: removes polls that the facts no longer require; leased ones are left to their worker.
-- parameters: bundles (text[]), is_whole (boolean): whether all chains were evaluated, not just the staged ones, now
--             (timestamptz): the clock of the leases
-- grain:   one row per poll
delete from poll_queue
where poll_queue.bundle_id = any(:'bundles'::text[])
    and (poll_queue.lease_until is null or poll_queue.lease_until <= :'now'::timestamptz)
    and (
        :'is_whole'::boolean
        or poll_queue.original_transaction_id in (select staged_chain.original_transaction_id from staged_chain)
    )
    and not exists (
        select 1
        from staged_poll
        where staged_poll.original_transaction_id = poll_queue.original_transaction_id
            and staged_poll.bundle_id = poll_queue.bundle_id
            and poll_queue.environment = 'Production'
    );
