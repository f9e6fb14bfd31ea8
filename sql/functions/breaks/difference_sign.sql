-- purpose: Returns which side of a difference is greater, by the break's detail: 1 for ours, -1 for Apple's charge.
create or replace function payrecon.difference_sign(detail text) returns integer
language sql immutable parallel safe
return sign(
    coalesce(substring(detail from 'says (-?[0-9.]+)')::numeric, 0)
    - coalesce(substring(detail from 'charged (-?[0-9.]+)')::numeric, 0)
)::integer;
