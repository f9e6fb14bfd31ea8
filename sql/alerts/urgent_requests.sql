-- purpose: Apple's requests for consumption information that nobody answered and whose time is nearly over, the most urgent
--          first.
-- parameters: as_of (timestamptz); answer_within, warn_before, window (interval); row_count (bigint)
-- grain:   one row per transaction, with the number of all such transactions
with due as materialized (
    select distinct on (asked.bundle_id, asked.environment, asked.transaction_id)
        asked.bundle_id, asked.transaction_id, asked.requested_at + :'answer_within'::interval as due_at
    from consumption_requests_at(:'as_of'::timestamptz, :'as_of'::timestamptz - :'window'::interval, null) as asked
    where asked.closed_at is null
        and asked.environment = 'Production'
    order by asked.bundle_id asc, asked.environment asc, asked.transaction_id asc, asked.requested_at desc, asked.charge_id asc
)
select due.bundle_id, due.transaction_id, rfc3339(due.due_at) as due_at, count(*) over () as total_count
from due
where due.due_at > :'as_of'::timestamptz
    and due.due_at <= :'as_of'::timestamptz + :'warn_before'::interval
order by due.due_at, due.bundle_id, due.transaction_id collate "C"
limit :'row_count'::bigint;
