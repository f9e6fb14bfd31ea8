-- purpose: the members of a partition, as the scope of the worker that evaluates it.
-- parameters: job (text): match or detect; piece (integer)
-- grain:   one row per order, chain, user and evidence item
with member as materialized (
    select piece_members.kind, piece_members.id
    from piece_members
    where piece_members.job = :'job'::text
        and piece_members.piece = :'piece'::integer
),
orders_held as (
    insert into scope_order (order_id, round)
    select member.id, 0
    from member
    where member.kind = 'order'
),
chains_held as (
    insert into scope_chain (original_transaction_id, round)
    select member.id, 0
    from member
    where member.kind = 'chain'
),
evidence_held as (
    insert into scope_evidence (sha256, round)
    select decode(member.id, 'hex'), 0
    from member
    where member.kind = 'evidence'
)
insert into scope_key (key, kind, round)
select member.id, 'user', 0
from member
where member.kind = 'user';
