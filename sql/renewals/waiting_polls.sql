-- purpose: whether polls are due without a lease; a lease skips rows that another worker has just locked.
-- parameters: bundle_id (text), as_of, ahead_to, now (timestamptz): as for a lease
-- grain:   one row
select exists (
    select 1
    from poll_queue
    where poll_queue.bundle_id = :'bundle_id'::text
        and poll_queue.environment = 'Production'
        and poll_queue.opens_at <= :'as_of'::timestamptz
        and poll_queue.due_at <= :'ahead_to'::timestamptz
        and (poll_queue.lease_until is null or poll_queue.lease_until <= :'now'::timestamptz)
) as is_waiting;
