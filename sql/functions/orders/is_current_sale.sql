-- purpose: Returns whether an order is a current sale: it is paid, or the customer has its goods.
create or replace function payrecon.is_current_sale(status text, delivered_at timestamptz) returns boolean
language sql immutable parallel safe
return status = 'paid' or payrecon.was_delivered(status, delivered_at);
