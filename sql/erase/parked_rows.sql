-- purpose: parked rows of orders and users that contain the bytes of a user id.
-- parameters: byte_forms (text[]): the id in the encodings of inputs, in hexadecimal digits
-- grain:   one row per parked row
select parked_items.parked_id, parked_items.kind, parked_items.file, parked_items.header, parked_items.raw
from parked_items
where parked_items.kind in ('orders', 'users')
    and has_bytes(parked_items.raw, :'byte_forms'::text[]);
