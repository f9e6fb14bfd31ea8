-- purpose: Returns whether an order is still refunded or revoked, although Apple took the refund back. An order that states its
--          delivery since then is restored, and may keep the instant of an earlier refund.
create or replace function payrecon.is_unrestored(
    status text, updated_at timestamptz, refunded_at timestamptz, reversed_at timestamptz
) returns boolean
language sql immutable parallel safe
return (status in ('refunded', 'revoked') or refunded_at is not null)
    and (status = 'delivered' and updated_at >= reversed_at and coalesce(refunded_at < reversed_at, true)) is not true;
