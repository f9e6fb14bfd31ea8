-- purpose: when a day begins for Apple, whose days are those of its own zone, and on which of them an instant lies.
create or replace function payrecon.apple_midnight(day date) returns timestamptz
language sql immutable parallel safe
return day::timestamp at time zone 'America/Los_Angeles';

create or replace function payrecon.apple_day(instant timestamptz) returns date
language sql immutable parallel safe
return (instant at time zone 'America/Los_Angeles')::date;
