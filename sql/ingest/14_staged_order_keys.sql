-- purpose: writes the keys by which the orders of a chunk of new ones can be found.
-- parameters: none
-- grain:   one row per order and key
insert into match_keys (key, kind, side, id, route, batch_id)
select order_key.key, order_key.kind, 'order', staged_order.order_id, staged_order.order_id, staged_order.batch_id
from staged_order
cross join lateral (
    values
        (staged_order.transaction_id, 'transaction_id'),
        (staged_order.web_order_line_item_id, 'line_item'),
        (staged_order.original_transaction_id, 'original'),
        (staged_order.evidence_sha256, 'evidence')
) as order_key (key, kind)
where order_key.key is not null
order by order_key.key, order_key.kind
on conflict do nothing;
