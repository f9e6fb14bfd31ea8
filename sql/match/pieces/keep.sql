-- purpose: stores the decisions of a partition for the transaction that records all partitions.
-- parameters: piece (integer)
-- grain:   one row per match, refused claim, second charge and ambiguous candidate
with refused as (
    insert into piece_refused_claims (
        order_id, class, rung, charge_id, evidence_sha256, counterpart, is_explicit, piece
    )
    select order_id, class, rung, charge_id, evidence_sha256, counterpart, is_explicit, :'piece'::integer
    from match_refused
),
second as (
    insert into piece_second_charges (original_transaction_id, charge_id, order_id, piece)
    select original_transaction_id, charge_id, order_id, :'piece'::integer
    from match_second
),
ambiguous as (
    insert into piece_ambiguous_candidates (original_transaction_id, charge_id, order_id, contributions, rank, piece)
    select original_transaction_id, charge_id, order_id, contributions, rank, :'piece'::integer
    from match_ambiguous
)
insert into piece_matches (order_id, charge_id, original_transaction_id, rung, piece)
select order_id, charge_id, original_transaction_id, rung, :'piece'::integer
from match_decided;
