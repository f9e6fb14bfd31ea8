-- purpose: what was decided before on the orders and charges of the scope, under the names of the tables it comes from.
--          Where only an order's state changed its match is all there is.
-- grain:   that of each table
create temp table matches on commit drop as
select matches.*
from scope_chain
inner join payrecon.matches on matches.original_transaction_id = scope_chain.original_transaction_id;
create temp table refused_claims on commit drop as
select refused_claims.*
from scope_order
inner join payrecon.refused_claims on refused_claims.order_id = scope_order.order_id
where scope_order.round >= 0;
create temp table second_charges on commit drop as
select second_charges.*
from scope_chain
inner join payrecon.second_charges on second_charges.original_transaction_id = scope_chain.original_transaction_id
where scope_chain.round >= 0;
create temp table ambiguous_candidates on commit drop as
select ambiguous_candidates.*
from scope_chain
inner join payrecon.ambiguous_candidates
    on ambiguous_candidates.original_transaction_id = scope_chain.original_transaction_id
where scope_chain.round >= 0;
analyze matches, refused_claims, second_charges, ambiguous_candidates;
