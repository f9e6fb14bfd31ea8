-- purpose: how far an order has come: of two versions of one instant, which tell none that differs, the one further on is the later
--          one, whichever came first.
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
