-- purpose: tables under the names that fact_rows() reads, for the changed charges and orders alone, as they stood at a clock.
-- grain:   one row per charge, order and match
create temp table charges (like payrecon.charges, primary key (original_transaction_id, charge_id)) on commit drop;
create temp table orders (like payrecon.orders, primary key (order_id)) on commit drop;
create temp table matches (like payrecon.matches, primary key (original_transaction_id, charge_id)) on commit drop;
