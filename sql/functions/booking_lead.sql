-- purpose: how long before a period's purchase its order may be booked: half of a short period, never more than the window.
create or replace function payrecon.booking_lead(purchased_at timestamptz, expires_at timestamptz, within interval) returns interval
language sql stable parallel safe
return least(within, (expires_at - purchased_at) / 2);
