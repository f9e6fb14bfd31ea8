-- purpose: the orders and charges of the scope under the names of the tables they come from: what reads `orders` after this
--          reads those of the scope. Temporary tables come before the schema's.
-- grain:   that of each table
create temp table orders on commit drop as
select orders.*
from scope_order
inner join payrecon.orders on orders.order_id = scope_order.order_id;
create temp table charges on commit drop as
select charges.*
from scope_chain
inner join payrecon.charges on charges.original_transaction_id = scope_chain.original_transaction_id;
analyze orders, charges;
