-- purpose: transaction ids that orders name and for which there is no genuine evidence yet.
-- parameters: bundle_id (text), since (timestamptz): orders created from then on, after_id (text), row_max (bigint)
-- grain:   one row per transaction id, in their order
with named as materialized (
    select distinct orders.transaction_id
    from orders
    where orders.bundle_id = :'bundle_id'::text
        and orders.created_at >= :'since'::timestamptz
        and orders.transaction_id > :'after_id'::text
),
known as materialized (
    select match_keys.key
    from named
    inner join match_keys
        on match_keys.key = named.transaction_id
        and match_keys.kind = 'transaction_id'
        and match_keys.side = 'charge'
)
select named.transaction_id
from named
where not exists (select 1 from known where known.key = named.transaction_id)
order by named.transaction_id
limit :'row_max'::bigint;
