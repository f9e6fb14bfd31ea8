-- purpose: when a day begins for Apple, whose days are those of its own zone.
create or replace function payrecon.apple_midnight(day date) returns timestamptz
language sql immutable parallel safe
return day::timestamp at time zone 'America/Los_Angeles';
