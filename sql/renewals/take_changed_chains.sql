-- purpose: moves the chains with new facts up to a clock from the queue renewal_news to staged_chain.
-- parameters: clock (timestamptz)
-- grain:   one row per chain
with taken as (
    delete from renewal_news
    where not exists (
        select 1
        from batches
        where batches.batch_id = renewal_news.batch_id
            and batches.known_at > :'clock'::timestamptz
    )
    returning original_transaction_id
)
insert into staged_chain (original_transaction_id)
select original_transaction_id from taken;
