-- purpose: Returns an amount converted at the printed rate, rounded to the smallest coin of the bank's currency.
create or replace function payrecon.at_printed_rate(owed numeric, rate numeric, bank_currency text) returns numeric
language sql immutable parallel safe
return round(owed * rate, case payrecon.currency_unit(coalesce(bank_currency, '')) when 1000 then 0 when 1 then 3 else 2 end);
