-- purpose: records that neither App Store environment knows an id; the first occurrence counts. Orders that name the id
--          are queued for re-evaluation.
-- parameters: bundle_id, transaction_id (text), requested_at (timestamptz)
-- grain:   one row per id
with naming as materialized (
    select orders.order_id as id
    from orders
    where orders.transaction_id = :'transaction_id'::text
),
queued_change as (
    insert into changes (batch_id, kind, first_id, ids)
    select 0, 'order', min(naming.id), array_agg(naming.id)
    from naming
    having count(*) > 0
    on conflict (batch_id, kind, first_id) do update
    set ids = changes.ids || excluded.ids
)
insert into api_misses (bundle_id, transaction_id, requested_at)
select :'bundle_id'::text, :'transaction_id'::text, :'requested_at'::timestamptz
on conflict do nothing;
