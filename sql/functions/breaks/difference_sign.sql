-- purpose: which side of a difference is the greater, by the words of its break: 1 where what we say is, -1 where what Apple charged is.
create or replace function payrecon.difference_sign(detail text) returns integer
language sql immutable parallel safe
return sign(
    coalesce(substring(detail from 'says (-?[0-9.]+)')::numeric, 0)
    - coalesce(substring(detail from 'charged (-?[0-9.]+)')::numeric, 0)
)::integer;
