-- purpose: whether an order was created in time for a purchase that carries its token: not after it, and not too long before a
--          renewal, as Apple repeats a subscription's token on every one.
create or replace function payrecon.precedes_purchase(
    created_at timestamptz, purchased_at timestamptz, is_renewal boolean, skew interval, before_renewal interval
) returns boolean
language sql stable parallel safe
return created_at <= purchased_at + skew
    and (not is_renewal or created_at >= purchased_at - before_renewal);
