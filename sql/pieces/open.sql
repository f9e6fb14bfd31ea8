-- purpose: what a piece holds, as the scope of whoever decides it.
-- parameters: job (text): match or detect; piece (integer)
-- grain:   one row per order, chain, user and piece of evidence
with held as materialized (
    select piece_members.kind, piece_members.id
    from piece_members
    where piece_members.job = :'job'::text
        and piece_members.piece = :'piece'::integer
),
orders_held as (
    insert into scope_order (order_id, round)
    select held.id, 0
    from held
    where held.kind = 'order'
),
chains_held as (
    insert into scope_chain (original_transaction_id, round)
    select held.id, 0
    from held
    where held.kind = 'chain'
),
evidence_held as (
    insert into scope_evidence (sha256, round)
    select decode(held.id, 'hex'), 0
    from held
    where held.kind = 'evidence'
)
insert into scope_key (key, kind, round)
select held.id, 'user', 0
from held
where held.kind = 'user';
