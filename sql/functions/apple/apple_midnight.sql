-- purpose: Returns the start of an Apple day, in Apple's time zone, and the Apple day of an instant.
create or replace function payrecon.apple_midnight(day date) returns timestamptz
language sql immutable parallel safe
return day::timestamp at time zone 'America/Los_Angeles';

create or replace function payrecon.apple_day(instant timestamptz) returns date
language sql immutable parallel safe
return (instant at time zone 'America/Los_Angeles')::date;
