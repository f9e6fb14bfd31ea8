-- purpose: the rate at which money was exchanged: what came out by what went in; none where nothing went in.
create or replace function payrecon.derived_rate(proceeds numeric, owed numeric) returns numeric
language sql immutable parallel safe
return trim_scale(round(proceeds / nullif(owed, 0), 10));
