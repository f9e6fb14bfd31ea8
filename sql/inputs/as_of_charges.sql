-- purpose: the charges of a scope as known at the transaction's past clock.
-- grain:   as in the table
create temp table in_charges on commit drop as
select *
from charges_of(payrecon_past.clock(), array(select original_transaction_id from scope_chain), null);
analyze in_charges;
