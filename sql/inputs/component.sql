-- purpose: the orders of a scope and the earlier decisions on its orders and charges, as now or as known at the past clock.
--          For a state-only change only the order's match is included.
-- grain:   as in each table
select drop_inputs();
create temp table in_orders on commit drop as
select orders.*
from scope_order
inner join orders on orders.order_id = scope_order.order_id;
create temp table in_matches on commit drop as
select matches.*
from scope_chain
inner join matches on matches.original_transaction_id = scope_chain.original_transaction_id;
create temp table in_refused_claims on commit drop as
select refused_claims.*
from scope_order
inner join refused_claims on refused_claims.order_id = scope_order.order_id
where scope_order.round is not null;
create temp table in_second_charges on commit drop as
select second_charges.*
from scope_chain
inner join second_charges on second_charges.original_transaction_id = scope_chain.original_transaction_id
where scope_chain.round is not null;
create temp table in_ambiguous_candidates on commit drop as
select ambiguous_candidates.*
from scope_chain
inner join ambiguous_candidates using (original_transaction_id)
where scope_chain.round is not null;
analyze in_orders, in_matches, in_refused_claims, in_second_charges, in_ambiguous_candidates;
