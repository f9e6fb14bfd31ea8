-- purpose: the money at stake of a break: its amount in Production, none elsewhere, as Sandbox carries no money.
create or replace function payrecon.at_stake(environment text, amount_milliunits bigint) returns bigint
language sql immutable parallel safe
return case when environment = 'Production' then amount_milliunits end;
