-- purpose: what the daily summary adds up, one by one: every charge, order, match, pending difference and break with what it adds to
--          each measure. The rows behind the figures of the summary and of the chart of its days. Plain names: it tells of the present,
--          or of the clock that a transaction looks back to.
-- grain:   one row per measure and charge, order or break; is_day is null for a measure that belongs to both scopes; at is when a
--          break opened or a difference becomes one
create or replace function payrecon.daily_rows() returns table (
    measure text, part text, bundle_id text, environment text, currency text, is_day boolean, day date, business_day date,
    original_transaction_id text, charge_id text, order_id text, break_id text, at timestamptz, n bigint, amount bigint
)
language sql stable parallel safe
as $$
    select told.* from payrecon.fact_rows() as told
    union all
    select told.* from payrecon.open_rows() as told
$$;
