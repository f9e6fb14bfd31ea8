-- purpose: Returns the amount that a payment should owe by its own columns. Files print withholding as an absolute or signed
--          amount, and a pre-tax subtotal with or without balance and adjustments. The reading nearest to the printed amount
--          is used.
create or replace function payrecon.owed_recomputed(
    brought_forward numeric, earned numeric, subtotal numeric, input_tax numeric, adjustments numeric, withholding numeric,
    owed numeric
) returns numeric
language sql immutable parallel safe
as $$
    select reading.amount
    from (values
        (coalesce(brought_forward, 0) + coalesce(earned, 0), false), (coalesce(subtotal, earned, 0), true),
        (coalesce(brought_forward, 0) + coalesce(subtotal, earned, 0), true)
    ) as base (amount, is_subtotal)
    cross join (values (coalesce(adjustments, 0)), (0::numeric)) as adjusted (amount)
    cross join (values (coalesce(withholding, 0)), (-coalesce(withholding, 0))) as withheld (amount)
    cross join lateral (select base.amount + coalesce(input_tax, 0) + adjusted.amount + withheld.amount as amount) as reading
    -- A subtotal may already include the adjustments; the earned amount does not.
    where adjusted.amount = coalesce(adjustments, 0) or base.is_subtotal
    order by abs(reading.amount - coalesce(owed, 0)), base.amount
    limit 1
$$;
