-- purpose: Returns the number of a day's month, counted from January of the year 0: 24315 for April 2026.
create or replace function payrecon.month_of(day date) returns integer
language sql immutable strict parallel safe
return (extract(year from day) * 12 + extract(month from day))::integer - 1;
