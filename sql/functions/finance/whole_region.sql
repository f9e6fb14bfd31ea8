-- purpose: Returns the earned region of a separately paid part as named by paid_lines: EU for EU:EUR and EU:CNY.
create or replace function payrecon.whole_region(region text) returns text
language sql immutable parallel safe
return split_part(region, ':', 1);
