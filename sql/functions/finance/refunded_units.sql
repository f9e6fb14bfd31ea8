-- purpose: what a refund is for a cell: so many whole units at their price, for of three coins a third is one coin; else one unit at
--          what was given back, a part of a price.
create or replace function payrecon.refunded_units(price_milliunits bigint, quantity bigint, refunded_milliunits bigint, currency text)
returns table (price numeric, is_partial boolean, units bigint)
language sql immutable parallel safe
as $$
    select
        case
            when told.is_whole then payrecon.unit_price(price_milliunits, quantity, currency)
            else payrecon.unit_price(refunded_milliunits, 1, currency)
        end,
        not told.is_whole,
        case when told.is_whole then refunded_milliunits * quantity / price_milliunits else 1 end
    from (select refunded_milliunits * quantity % nullif(price_milliunits, 0) = 0 as is_whole) as told
$$;
