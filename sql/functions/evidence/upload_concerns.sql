-- purpose: Returns whether an upload concerns an order: our servers received it from the order's user, or for that order
--          without another user. Evidence that was posted to the notification endpoint or that Apple answered has no uploader.
create or replace function payrecon.upload_concerns(
    source text, uploader text, claimed_order_id text, order_id text, user_id text
) returns boolean
language sql immutable parallel safe
return source in ('client', 'import') and (
    (uploader <> '' and uploader = user_id) or (claimed_order_id = order_id and uploader in ('', user_id))
);
