-- purpose: Returns the effective exchange rate, proceeds divided by the amount owed; null if nothing was owed.
create or replace function payrecon.derived_rate(proceeds numeric, owed numeric) returns numeric
language sql immutable parallel safe
return trim_scale(round(proceeds / nullif(owed, 0), 10));
