-- purpose: what all pieces decided, beside what stands, under the names by which a match run compares and records; without
--          what changed meanwhile and all that this reaches (the scope), which is decided after it. What two pieces held counts
--          as the first of them decided it: both decided the same, unless it changed meanwhile.
-- grain:   that of each table; piece_first one row per order and chain that not every piece speaks for
drop view if exists in_matches, in_refused_claims, in_second_charges, in_ambiguous_candidates;
create temp table piece_first on commit drop as
select told.kind, told.id, min(told.piece) as piece
from (
    select piece_members.kind, piece_members.id, piece_members.piece
    from piece_members
    where piece_members.job = 'match'
    union all
    select 'order', scope_order.order_id, -1
    from scope_order
    union all
    select 'chain', scope_chain.original_transaction_id, -1
    from scope_chain
) as told
group by told.kind, told.id
having count(*) > 1;
create temp table match_plain on commit drop as
select decided.order_id, decided.charge_id, decided.original_transaction_id, decided.rung
from piece_matches as decided
left join piece_first as of_order
    on of_order.kind = 'order'
    and of_order.id = decided.order_id
left join piece_first as of_chain
    on of_chain.kind = 'chain'
    and of_chain.id = decided.original_transaction_id
where coalesce(of_order.piece, decided.piece) >= decided.piece
    and coalesce(of_chain.piece, decided.piece) >= decided.piece;
create temp table match_decided (like match_plain) on commit drop;
create temp table match_refused on commit drop as
select decided.*
from piece_refused_claims as decided
left join piece_first
    on piece_first.kind = 'order'
    and piece_first.id = decided.order_id
where coalesce(piece_first.piece, decided.piece) >= decided.piece;
create temp table match_second on commit drop as
select decided.*
from piece_second_charges as decided
left join piece_first
    on piece_first.kind = 'chain'
    and piece_first.id = decided.original_transaction_id
where coalesce(piece_first.piece, decided.piece) >= decided.piece;
create temp table match_ambiguous on commit drop as
select decided.*
from piece_ambiguous_candidates as decided
left join piece_first
    on piece_first.kind = 'chain'
    and piece_first.id = decided.original_transaction_id
where coalesce(piece_first.piece, decided.piece) >= decided.piece;
create temp view in_matches as
select *
from matches
where original_transaction_id not in (select scope_chain.original_transaction_id from scope_chain);
create temp view in_refused_claims as
select *
from refused_claims
where order_id not in (select scope_order.order_id from scope_order);
create temp view in_second_charges as
select *
from second_charges
where original_transaction_id not in (select scope_chain.original_transaction_id from scope_chain);
create temp view in_ambiguous_candidates as
select *
from ambiguous_candidates
where original_transaction_id not in (select scope_chain.original_transaction_id from scope_chain);
analyze match_plain, match_refused, match_second, match_ambiguous;
