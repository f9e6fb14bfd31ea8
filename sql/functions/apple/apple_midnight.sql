-- purpose: Returns the start of an Apple day, in Apple's time zone.
create or replace function payrecon.apple_midnight(day date) returns timestamptz
language sql immutable parallel safe
return day::timestamp at time zone 'America/Los_Angeles';
