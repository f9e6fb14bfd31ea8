-- purpose: Returns how far the date of a row may be ahead of its reading, because clocks differ.
create or replace function payrecon.clock_margin() returns interval
language sql immutable parallel safe
return interval '5 minutes';
