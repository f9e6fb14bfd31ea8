-- purpose: Returns how advanced an order's status is. Of two versions with equal instants the more advanced one is the
--          later, in any order of arrival.
create or replace function payrecon.order_stage(status text) returns integer
language sql immutable parallel safe
return array_position(array['created', 'paid', 'delivered', 'cancelled', 'refunded', 'revoked'], status);
