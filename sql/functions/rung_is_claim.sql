-- purpose: whether an order that is a candidate on a rung names the charge itself, by its transaction, its line item or its evidence:
--          such a claim is told when it is refused, and counts for what nobody else may have.
create or replace function payrecon.rung_is_claim(rung text) returns boolean
language sql immutable parallel safe
return rung in ('M1', 'M3', 'M5');
