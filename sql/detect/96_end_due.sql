-- purpose: removes the due instants of the scope before they are recomputed.
-- grain:   one row per order or chain and instant
delete from payrecon.detect_due
using scope_order
where detect_due.id = scope_order.order_id
    and detect_due.kind = 'order';
delete from payrecon.detect_due
using scope_chain
where detect_due.id = scope_chain.original_transaction_id
    and detect_due.kind = 'chain'
    and scope_chain.round is not null;
