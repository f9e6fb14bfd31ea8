-- purpose: whether an order that names no purchase was booked for the period after a charge's: at the end of the charge's, for access
--          that ends nearer to the end of the next; see match/08_subscription_charges.sql for the two instants.
create or replace function payrecon.is_for_next_period(
    created_at timestamptz, access_until timestamptz, transaction_id text, web_order_line_item_id text,
    next_booking_from timestamptz, next_access_from timestamptz
) returns boolean
language sql immutable parallel safe
return coalesce(
    created_at >= next_booking_from
    and access_until >= next_access_from
    and num_nonnulls(transaction_id, web_order_line_item_id) = 0,
    false
);
