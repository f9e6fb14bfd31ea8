-- purpose: after the queue was made anew at a clock: what is known only later is news again.
-- parameters: clock (timestamptz)
-- grain:   one row per chain
with later as (
    select batch_id from batches where known_at > :'clock'::timestamptz
)
insert into renewal_news (original_transaction_id, batch_id)
select told.original_transaction_id, max(told.batch_id)
from (
    select original_transaction_id, batch_id from transactions where batch_id in (select batch_id from later)
    union all
    select original_transaction_id, batch_id from renewal_infos where batch_id in (select batch_id from later)
    union all
    select original_transaction_id, batch_id
    from notifications
    where original_transaction_id is not null
        and batch_id in (select batch_id from later)
) as told
group by told.original_transaction_id
on conflict (original_transaction_id) do update set batch_id = excluded.batch_id;
