-- purpose: writes the keys by which an order can be found, once; keys of replaced versions stay and no longer fit.
-- parameters: none
-- grain:   one row per order and key
insert into match_keys (key, kind, side, id, route, batch_id)
select order_key.key, order_key.kind, 'order', judged_order.order_id, judged_order.order_id, judged_order.batch_id
from judged_order
cross join lateral (
    values
        (judged_order.transaction_id, 'transaction_id'),
        (judged_order.web_order_line_item_id, 'line_item'),
        (judged_order.original_transaction_id, 'original'),
        (judged_order.evidence_sha256, 'evidence')
) as order_key (key, kind)
where judged_order.outcome in ('new', 'newer')
    and order_key.key is not null
order by order_key.key, order_key.kind
on conflict do nothing;
