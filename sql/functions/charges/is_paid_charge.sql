-- purpose: Returns whether a charge is a payment in Production, refunded later or not. Its price may be unknown.
create or replace function payrecon.is_paid_charge(environment text, state text) returns boolean
language sql immutable parallel safe
return environment = 'Production' and state in ('charged', 'refunded', 'partly_refunded');
