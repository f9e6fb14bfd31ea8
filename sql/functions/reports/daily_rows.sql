-- purpose: Returns the rows that the daily summary aggregates: every charge, order, match, pending difference and break,
--          with its contribution to each measure.
-- grain:   one row per measure and charge, order or break; is_day is null for a measure that belongs to both scopes; at is when a
--          break opened or a difference becomes one
create or replace function payrecon.daily_rows() returns table (
    measure text, part text, bundle_id text, environment text, currency text, is_day boolean, day date, business_day date,
    charge_id text, order_id text, n bigint, amount bigint, break_id text, at timestamptz
)
language sql stable parallel safe
as $$
    select fact.*, null, null from payrecon.fact_rows() as fact
    union all
    select fact.* from payrecon.open_rows() as fact
$$;
