-- purpose: Returns a text field of a signed payload as Apple wrote it; null if the bytes are no compact signature or lack
--          the field.
create or replace function payrecon.signed_field(frame bytea, body bytea, unpacked_length integer, field text) returns text
language sql immutable parallel safe
as $$
    select case
        when unpacked_length is not null then convert_from(payrecon.packed_rest(frame, body), 'UTF8')::json ->> field
        when segment ~ '^[A-Za-z0-9_-]+$' and length(segment) % 4 <> 1
            then convert_from(
                decode(translate(segment, '-_', '+/') || repeat('=', (4 - length(segment) % 4) % 4), 'base64'), 'UTF8'
            )::json ->> field
    end
    from (
        -- The first segment may be stored separately (signed_headers); in both forms the payload precedes the last dot.
        select split_part(encode(body, 'escape'), '.', -2) as segment
    ) as payload
$$;
