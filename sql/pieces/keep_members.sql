-- purpose: keeps what a piece holds, so that no later one begins with it.
-- parameters: job (text): match or detect; piece (integer)
-- grain:   one row per order and chain
insert into piece_members (job, kind, id, piece)
select :'job'::text, 'order', order_id, :'piece'::integer
from scope_order
union all
select :'job'::text, 'chain', original_transaction_id, :'piece'::integer
from scope_chain;
