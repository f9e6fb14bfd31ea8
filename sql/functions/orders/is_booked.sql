-- purpose: Returns whether an order is in our books: it was ever paid or delivered, even if it was cancelled, refunded or
--          revoked later. Other orders are abandoned carts. Abuse rules that count purchases leave out all cancelled orders
--          instead, because the shop called those sales off.
create or replace function payrecon.is_booked(status text, paid_at timestamptz, delivered_at timestamptz) returns boolean
language sql immutable parallel safe
return status not in ('created', 'cancelled') or paid_at is not null or delivered_at is not null;
