-- purpose: by what an order shows that it is not for the period of a renewal: 'subscription', 'line item' or 'transaction' where it
--          names another one, 'access' where it names none and was booked for the next (is_for_next_period); null when by nothing.
create or replace function payrecon.other_period(
    order_original text, order_line text, order_transaction text, created_at timestamptz, access_until timestamptz,
    charge_original text, is_line_of_charge boolean, is_transaction_of_charge boolean, next_booking_from timestamptz,
    next_access_from timestamptz
) returns text
language sql immutable parallel safe
return case
    when order_original <> charge_original then 'subscription'
    when order_line is not null and is_line_of_charge is not true then 'line item'
    when payrecon.is_for_next_period(
        created_at, access_until, order_transaction, order_line, next_booking_from, next_access_from
    ) then 'access'
    when order_transaction is not null and is_transaction_of_charge is not true then 'transaction'
end;
