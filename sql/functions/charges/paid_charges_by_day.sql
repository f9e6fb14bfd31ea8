-- purpose: Returns paid charges by their possible days at Apple, so that cells of the tie-out join by equality in one pass. The
--          caller selects the day in the cell's time zone. Table names are unqualified, so that it reads the present or the
--          transaction's past clock.
-- grain:   three rows per charge: the UTC day of the purchase, and the days before and after it
create or replace function payrecon.paid_charges_by_day() returns table (
    original_transaction_id text, charge_id text, bundle_id text, product_id text, storefront text, currency text,
    purchased_at timestamptz, quantity integer, price numeric, day date
)
language sql stable parallel safe
as $$
    select
        charges.original_transaction_id, charges.charge_id, charges.bundle_id, charges.product_id, charges.storefront, charges.currency,
        charges.purchased_at, charges.quantity, payrecon.unit_price(charges.price_milliunits, charges.quantity, charges.currency),
        ((charges.purchased_at at time zone 'UTC') + days.shift * interval '1 day')::date
    from charges
    cross join (values (-1), (0), (1)) as days (shift)
    where payrecon.is_paid_charge(charges.environment, charges.state)
    -- Keeps the planner from joining cells before the days are computed.
    offset 0
$$;
