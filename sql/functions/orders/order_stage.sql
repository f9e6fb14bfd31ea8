-- purpose: Returns how advanced an order's status is. Of two versions with equal instants the more advanced one is the
--          later, in any order of arrival.
create or replace function payrecon.order_stage(status text) returns integer
language sql immutable parallel safe
return case status
    when 'created' then 0
    when 'paid' then 1
    when 'delivered' then 2
    when 'cancelled' then 3
    when 'refunded' then 4
    else 5
end;
