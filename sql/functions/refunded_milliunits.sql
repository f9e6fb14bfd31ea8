-- purpose: the part of a price that a revocation percentage gives back, rounded to the currency's unit.
-- parameters: percentage: thousandths of a percent, 0 to 100000; null is a full refund
create or replace function payrecon.refunded_milliunits(price bigint, percentage bigint, currency text) returns bigint
language sql immutable parallel safe
return case
    when percentage is null or percentage >= 100000 then price
    else (
        div(
            price::numeric * greatest(percentage, 0) + payrecon.currency_unit(currency) * 50000,
            payrecon.currency_unit(currency)::numeric * 100000
        ) * payrecon.currency_unit(currency)
    )::bigint
end;
