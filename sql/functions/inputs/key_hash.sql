-- purpose: a key by which orders, users, charges and evidence hang together as a number: its kind (user, token, order_id, transaction_id,
--          line_item, original, device, evidence) and its text; the same on every machine. Two keys with one number only tie more together.
create or replace function payrecon.key_hash(kind text, key text) returns bigint
language sql immutable parallel safe
as $$
    select hashtextextended(key_hash.key, hashtext(key_hash.kind))
$$;
