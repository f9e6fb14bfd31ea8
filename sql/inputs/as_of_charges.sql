-- purpose: the charges of a scope as they were known at the clock that the transaction looks back to.
-- grain:   that of the table
create temp table in_charges on commit drop as
select *
from charges_of(payrecon_past.clock(), array(select original_transaction_id from scope_chain), null);
analyze in_charges;
