-- purpose: after a rebuild of the queue at a clock, queues the chains with facts known only later.
-- parameters: clock (timestamptz)
-- grain:   one row per chain
with later as (select batch_id from batches where known_at > :'clock'::timestamptz)
insert into renewal_news (original_transaction_id, batch_id)
select fact.original_transaction_id, max(fact.batch_id)
from (
    select original_transaction_id, batch_id from transactions where batch_id in (select batch_id from later)
    union all
    select original_transaction_id, batch_id from renewal_infos where batch_id in (select batch_id from later)
    union all
    select original_transaction_id, batch_id
    from notifications
    where original_transaction_id is not null
        and batch_id in (select batch_id from later)
) as fact
group by fact.original_transaction_id
on conflict (original_transaction_id) do update set batch_id = excluded.batch_id;
