-- purpose: Returns whether a statement is about a period of a subscription: without a type, an expiry implies one. The planner
--          inlines the condition, which two partial indexes of transactions have.
create or replace function payrecon.is_subscription_period(type text, expires_at timestamptz) returns boolean
language sql immutable parallel safe
as $$ select coalesce(type = 'auto_renewable', expires_at is not null) $$;
