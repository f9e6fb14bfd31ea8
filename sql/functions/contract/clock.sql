-- purpose: Returns the clock of the contract's views: the server's, or the latest known instant if that is ahead of it.
--          Views call it in a subselect, so that it is evaluated once.
create or replace function payrecon.contract_clock() returns timestamptz
language sql stable parallel safe
return greatest(now(), payrecon.latest_known_at());

-- Returns the version of the contract's views. New columns are appended under the same version; removing a column or
-- changing its type or meaning raises it.
create or replace function payrecon.contract_version() returns integer
language sql immutable parallel safe
return 1;
