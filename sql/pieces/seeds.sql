-- purpose: a piece begins with the orders of its share of the users; what another piece has decided is left to it.
-- parameters: job (text): match or detect; piece, share_count (integer)
-- grain:   one row per order
insert into scope_order (order_id, round)
with share as materialized (
    select orders.order_id
    from orders
    where share_of(orders.user_id, :'share_count'::integer) = :'piece'::integer
)
select share.order_id, 0
from share
where not exists (
        select 1
        from piece_members
        where piece_members.job = :'job'::text
            and piece_members.kind = 'order'
            and piece_members.id = share.order_id
    );
