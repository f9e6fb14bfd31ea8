-- purpose: the charges of a scope.
-- grain:   as in the table
create temp table in_charges on commit drop as
select charges.*
from scope_chain
inner join charges on charges.original_transaction_id = scope_chain.original_transaction_id;
analyze in_charges;
