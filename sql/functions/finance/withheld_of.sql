-- purpose: Returns the withheld tax as a signed part of the amount owed. Some files print it as an absolute, some as a
--          signed amount; the reading with which the row adds up better is used.
create or replace function payrecon.withheld_of(
    brought_forward numeric, earned numeric, input_tax numeric, adjustments numeric, withholding numeric, owed numeric
) returns numeric
language sql immutable parallel safe
as $$
    select reading.amount
    from (values (-abs(coalesce(withholding, 0))), (abs(coalesce(withholding, 0)))) as reading (amount)
    order by
        abs(
            coalesce(owed, 0) - coalesce(brought_forward, 0) - coalesce(earned, 0) - coalesce(input_tax, 0)
            - coalesce(adjustments, 0) - reading.amount
        ), reading.amount
    limit 1
$$;
