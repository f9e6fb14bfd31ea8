-- purpose: a piece begins with those of its share of the chains that no piece before led to.
-- parameters: job (text): match or detect; piece, share_count (integer)
-- grain:   one row per chain
insert into scope_chain (original_transaction_id, round)
with share as materialized (
    select distinct charges.original_transaction_id
    from charges
    where share_of(charges.original_transaction_id, :'share_count'::integer) = :'piece'::integer - :'share_count'::integer
)
select share.original_transaction_id, 0
from share
where not exists (
        select 1
        from piece_members
        where piece_members.job = :'job'::text
            and piece_members.kind = 'chain'
            and piece_members.id = share.original_transaction_id
    );
