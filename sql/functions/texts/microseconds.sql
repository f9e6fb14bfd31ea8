-- purpose: Returns an instant in microseconds since 1970.
create or replace function payrecon.microseconds(instant timestamptz) returns bigint
language sql immutable strict parallel safe
return (extract(epoch from instant) * 1000000)::bigint;
