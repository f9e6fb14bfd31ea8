-- purpose: Returns a refund in units of a cell: whole units at their price if the amount divides evenly (a third of three
--          coins is one coin), else one unit at the refunded amount.
create or replace function payrecon.refunded_units(price_milliunits bigint, quantity bigint, refunded_milliunits bigint, currency text)
returns table (price numeric, is_partial boolean, units bigint)
language sql immutable parallel safe
as $$
    select
        case
            when division.is_whole then payrecon.unit_price(price_milliunits, quantity, currency)
            else payrecon.unit_price(refunded_milliunits, 1, currency)
        end,
        not division.is_whole,
        case when division.is_whole then refunded_milliunits * quantity / price_milliunits else 1 end
    from (select refunded_milliunits * quantity % nullif(price_milliunits, 0) = 0 as is_whole) as division
$$;
