-- purpose: shows the decisions of all partitions, and the recorded ones, under the names that a match run compares. Leaves out the
--          scope: facts that changed during the run and everything connected with them, which are decided afterwards.
-- grain:   as in each table
drop view if exists in_matches, in_refused_claims, in_second_charges, in_ambiguous_candidates;
create temp view match_decided as
select *
from partition_matches
where order_id not in (select scope_order.order_id from scope_order)
    and original_transaction_id not in (select scope_chain.original_transaction_id from scope_chain);
create temp view match_refused as
select *
from partition_refused_claims
where order_id not in (select scope_order.order_id from scope_order);
create temp view match_second as
select *
from partition_second_charges
where original_transaction_id not in (select scope_chain.original_transaction_id from scope_chain);
create temp view match_ambiguous as
select *
from partition_ambiguous_candidates
where original_transaction_id not in (select scope_chain.original_transaction_id from scope_chain);
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
