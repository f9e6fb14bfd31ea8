-- purpose: orders of which only the state changed are told apart from those that may match another way.

-- kind: order, order_state (delivered, refunded, another price: nothing by which a rung that was reached by keys decides),
-- user, chain (an original transaction id), evidence (a sha256).
alter table payrecon.changes drop constraint changes_kind;
alter table payrecon.changes
add constraint changes_kind check (kind in ('order', 'order_state', 'user', 'chain', 'evidence'));

alter table payrecon.undetected drop constraint undetected_kind;
alter table payrecon.undetected
add constraint undetected_kind check (kind in ('order', 'order_state', 'chain'));
