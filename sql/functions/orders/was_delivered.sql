-- purpose: whether the customer has the goods of an order: they were handed out, and not taken back since.
create or replace function payrecon.was_delivered(status text, delivered_at timestamptz) returns boolean
language sql immutable parallel safe
return (status = 'delivered' or delivered_at is not null) and status not in ('refunded', 'revoked');
