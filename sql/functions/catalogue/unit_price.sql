-- purpose: Returns a charge's price per unit, rounded to the currency's digits: three coins for 10.00 are 3.33 each. Cells
--          are keyed by it, so searches for the charges of a cell use it too.
create or replace function payrecon.unit_price(milliunits bigint, quantity bigint, currency text) returns numeric
language sql immutable parallel safe
return round(
    milliunits::numeric / quantity / 1000, case payrecon.currency_unit(coalesce(currency, '')) when 1000 then 0 when 1 then 3 else 2 end
);
