-- purpose: what a decision about an order and a charge settles: whether the two belong together; which charge an order has, or is a
--          duplicate of, for it has one; which order a charge has, for it has one. Of two decisions that settle one thing otherwise
--          the newest counts.
-- grain:   one row per thing that is settled, and as what
create or replace function payrecon.pair_settles(order_id text, charge_id text, action text) returns table (thing text[], settled text)
language sql immutable parallel safe rows 3
as $$
    select array['pair', pair_settles.order_id, pair_settles.charge_id], pair_settles.action
    union all
    select array['order', pair_settles.order_id], pair_settles.charge_id where pair_settles.action <> 'unmatch'
    union all
    select array['charge', pair_settles.charge_id], pair_settles.order_id where pair_settles.action = 'forced_match'
$$;
