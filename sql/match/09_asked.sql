-- purpose: the charges of which somebody asks what the rungs looked at: themselves, and those by token and product that an order
--          may have.
-- parameters: orders, charges (text[]): their ids
-- grain:   one row per charge
insert into match_asked (charge_id)
select match_charge.charge_id
from match_charge
where match_charge.charge_id = any(:'charges'::text[])
union
select near.charge_id
from match_order
cross join lateral (
    select match_charge.charge_id
    from match_order_token
    inner join match_charge
        on match_charge.token = match_order_token.token
        and match_charge.product_id = match_order.product_id
    where match_order_token.order_id = match_order.order_id
    order by abs(extract(epoch from match_charge.purchased_at - match_order.created_at)), match_charge.charge_id
    -- However many carry a token, the nearest say enough.
    limit 100
) as near
where match_order.order_id = any(:'orders'::text[]);
