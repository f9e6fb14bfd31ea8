-- purpose: the inputs of a scope that every job reads, as now or as known at the past clock. For a state-only change only the
--          order's match is included. Rows that many statements read are copied; others are looked up by key when they are read.
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
analyze in_orders, in_matches;
create temp view in_refused_claims as
select refused_claims.*
from refused_claims
where refused_claims.order_id = any(array(select scope_order.order_id from scope_order where scope_order.round is not null));
create temp view in_second_charges as
select second_charges.*
from second_charges
where second_charges.original_transaction_id = any(
        array(select scope_chain.original_transaction_id from scope_chain where scope_chain.round is not null)
    );
create temp view in_ambiguous_candidates as
select ambiguous_candidates.*
from ambiguous_candidates
where ambiguous_candidates.original_transaction_id = any(
        array(select scope_chain.original_transaction_id from scope_chain where scope_chain.round is not null)
    );
create temp view in_users as
select users.*
from users
where users.user_id = any(array(select distinct orders.user_id from in_orders as orders));
create temp view in_api_misses as
select api_misses.*
from api_misses
where api_misses.bundle_id = any(array(select distinct orders.bundle_id from in_orders as orders))
    and api_misses.transaction_id = any(array(select orders.transaction_id from in_orders as orders));
