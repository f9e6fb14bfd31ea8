-- purpose: Returns whether a payment differs from the printed rate by more than rounding: half of the rate's last digit, and
--          half of the smallest coin.
create or replace function payrecon.is_rate_off(owed numeric, rate numeric, proceeds numeric, bank_currency text) returns boolean
language sql immutable parallel safe
return abs(proceeds - owed * rate)
    > abs(owed) * 0.5 * power(10::numeric, -scale(rate)) + payrecon.currency_unit(coalesce(bank_currency, ''))::numeric / 2000;
