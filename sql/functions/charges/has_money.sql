-- purpose: whether somebody paid for a charge: the family shares no payment, and what was free stays so when Apple takes it back. Only
--          what was paid for is refunded; a price that nobody told counts as paid.
create or replace function payrecon.has_money(state text, price_milliunits bigint) returns boolean
language sql immutable parallel safe
return state not in ('family', 'free') and price_milliunits is distinct from 0;
