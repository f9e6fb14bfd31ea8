-- purpose: whether a purchase was made so soon after an order was created that it may be the order's: Ask to Buy takes its time, unless
--          the order was paid or delivered before the purchase.
create or replace function payrecon.is_in_window(
    created_at timestamptz, settled_at timestamptz, purchased_at timestamptz, skew interval, within interval,
    ask_to_buy_within interval
) returns boolean
language sql stable parallel safe
return purchased_at >= created_at - skew
    and purchased_at <= created_at + case
        when settled_at is null or settled_at >= purchased_at - skew then ask_to_buy_within
        else within
    end;
