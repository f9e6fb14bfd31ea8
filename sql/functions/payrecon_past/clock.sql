-- purpose: the clock whose past the views of payrecon_past show: the setting payrecon.as_of.
create or replace function payrecon_past.clock() returns timestamptz
language sql stable parallel safe
as $$
    select current_setting('payrecon.as_of')::timestamptz
$$;
