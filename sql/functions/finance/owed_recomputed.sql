-- purpose: Returns the amount that a payment should owe by its own columns. Files print withholding as an absolute or signed
--          amount, and a pre-tax subtotal with or without balance and adjustments. The reading nearest to the printed amount
--          is used.
create or replace function payrecon.owed_recomputed(
    brought_forward numeric, earned numeric, subtotal numeric, input_tax numeric, adjustments numeric, withholding numeric,
    owed numeric
) returns numeric
language sql immutable parallel safe
as $$
    select reading.base + coalesce(input_tax, 0) + reading.adjusted + reading.withheld
    from (
        select base.amount as base, adjusted.amount as adjusted, withheld.amount as withheld
        from (values
            (coalesce(brought_forward, 0) + coalesce(earned, 0), 1), (coalesce(subtotal, earned, 0), 2),
            (coalesce(brought_forward, 0) + coalesce(subtotal, earned, 0), 3)
        ) as base (amount, place)
        cross join (values (coalesce(adjustments, 0)), (0::numeric)) as adjusted (amount)
        cross join (values (coalesce(withholding, 0)), (-coalesce(withholding, 0))) as withheld (amount)
        -- A subtotal may already include the adjustments; the earned amount does not.
        where adjusted.amount = coalesce(adjustments, 0) or base.place > 1
    ) as reading
    order by abs(reading.base + coalesce(input_tax, 0) + reading.adjusted + reading.withheld - coalesce(owed, 0)), reading.base
    limit 1
$$;
