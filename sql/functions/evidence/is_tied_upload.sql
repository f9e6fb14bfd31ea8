-- purpose: whether an upload ties what it holds to somebody: our own servers took it, from a user or for an order.
create or replace function payrecon.is_tied_upload(source text, user_id text, order_id text) returns boolean
language sql immutable parallel safe
return source in ('client', 'import') and (user_id <> '' or order_id <> '');
