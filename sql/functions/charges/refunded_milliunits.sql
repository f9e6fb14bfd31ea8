-- purpose: Returns the refunded part of a price: for an Advanced Commerce purchase the stated sum of its items, at most the
--          price; else the revocation percentage, rounded to the currency's unit.
-- parameters: percentage: thousandths of a percent, 0 to 100000; null is a full refund. items: sum of the items' refunds; null for none
create or replace function payrecon.refunded_milliunits(price bigint, percentage bigint, currency text, items bigint) returns bigint
language sql immutable parallel safe
return case
    when items is not null then least(items, price)
    when percentage is null or percentage >= 100000 then price
    else (
        div(
            price::numeric * greatest(percentage, 0) + payrecon.currency_unit(currency) * 50000,
            payrecon.currency_unit(currency)::numeric * 100000
        ) * payrecon.currency_unit(currency)
    )::bigint
end;
