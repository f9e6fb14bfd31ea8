-- purpose: Returns whether a charge was paid: family-shared and free charges were not, even after Apple revokes them. A
--          charge without a known price counts as paid.
create or replace function payrecon.has_money(state text, price_milliunits bigint) returns boolean
language sql immutable parallel safe
return state not in ('family', 'free') and price_milliunits is distinct from 0;
