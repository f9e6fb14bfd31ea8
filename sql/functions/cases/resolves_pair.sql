-- purpose: Returns the facts that a decision on a pair settles: whether the two belong together, the charge of the order,
--          and the order of the charge. Of two decisions that settle one fact differently the newest counts.
-- grain:   one row per settled fact and its value
create or replace function payrecon.resolves_pair(order_id text, charge_id text, action text) returns table (thing text[], settled text)
language sql immutable parallel safe rows 3
as $$
    select array['pair', resolves_pair.order_id, resolves_pair.charge_id], resolves_pair.action
    union all
    select array['order', resolves_pair.order_id], resolves_pair.charge_id where resolves_pair.action <> 'unmatch'
    union all
    select array['charge', resolves_pair.charge_id], resolves_pair.order_id where resolves_pair.action = 'forced_match'
$$;
