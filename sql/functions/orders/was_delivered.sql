-- purpose: Returns whether the customer has the goods of an order: delivered and not taken back.
create or replace function payrecon.was_delivered(status text, delivered_at timestamptz) returns boolean
language sql immutable parallel safe
return (status = 'delivered' or delivered_at is not null) and status not in ('refunded', 'revoked');
