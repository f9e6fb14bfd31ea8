-- purpose: Returns which side of a difference is greater, by the break's detail: 1 for ours, -1 for Apple's charge. A missing
--          side is zero.
create or replace function payrecon.difference_sign(detail jsonb) returns integer
language sql immutable parallel safe
return sign(
    coalesce(substring(detail #>> '{with,ours}' from '^-?[0-9]+(?:[.][0-9]+)?')::numeric, 0)
    - coalesce(substring(detail #>> '{with,theirs}' from '^-?[0-9]+(?:[.][0-9]+)?')::numeric, 0)
)::integer;
