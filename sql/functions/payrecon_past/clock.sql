-- purpose: Returns the clock of the views of payrecon_past: the setting payrecon.as_of.
create or replace function payrecon_past.clock() returns timestamptz
language sql stable parallel safe
return current_setting('payrecon.as_of')::timestamptz;
