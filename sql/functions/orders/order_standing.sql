-- purpose: Returns the rank of an order among those that claim one charge: 2 was ever paid or delivered, 1 was paid and then
--          cancelled before delivery, 0 is an abandoned cart. The greatest rank wins.
create or replace function payrecon.order_standing(status text, paid_at timestamptz, delivered_at timestamptz) returns integer
language sql immutable parallel safe
return case
    when delivered_at is not null or status not in ('created', 'cancelled') then 2
    when paid_at is null then 0
    when status = 'cancelled' then 1
    else 2
end;
