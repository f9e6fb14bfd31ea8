-- purpose: what a decision about an order and a charge settles: whether the two belong together; which charge an order has, or is a
--          duplicate of, for it has one; which order a charge has, for it has one. Of two decisions that settle one thing otherwise
--          the newest counts.
-- grain:   one row per thing that is settled, and as what
create or replace function payrecon.resolves_pair(order_id text, charge_id text, action text) returns table (thing text[], settled text)
language sql immutable parallel safe rows 3
as $$
    select array['pair', resolves_pair.order_id, resolves_pair.charge_id], resolves_pair.action
    union all
    select array['order', resolves_pair.order_id], resolves_pair.charge_id where resolves_pair.action <> 'unmatch'
    union all
    select array['charge', resolves_pair.charge_id], resolves_pair.order_id where resolves_pair.action = 'forced_match'
$$;
