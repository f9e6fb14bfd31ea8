-- purpose: Returns whether an upload ties its evidence to a user or order: our servers received it, from a user or for an
--          order.
create or replace function payrecon.is_tied_upload(source text, user_id text, order_id text) returns boolean
language sql immutable parallel safe
return source in ('client', 'import') and (user_id <> '' or order_id <> '');
