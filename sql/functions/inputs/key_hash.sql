-- purpose: Returns the number of a connecting key, from its kind (user, token, order_id, transaction_id, line_item,
--          original, device, evidence) and its text; equal on every machine. Two keys with one number only merge more
--          components.
create or replace function payrecon.key_hash(kind text, key text) returns bigint
language sql immutable parallel safe
as $$
    select hashtextextended(key_hash.key, hashtext(key_hash.kind))
$$;
