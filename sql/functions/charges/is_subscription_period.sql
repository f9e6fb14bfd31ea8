-- purpose: Returns whether a transaction is about a period of a subscription. Without a type, an expiry shows one. The
--          planner must inline the condition, because two partial indexes of transactions have it.
create or replace function payrecon.is_subscription_period(type text, expires_at timestamptz) returns boolean
language sql immutable parallel safe
as $$ select coalesce(type = 'auto_renewable', expires_at is not null) $$;
