-- purpose: a page of contested pairs, user by user.
-- parameters: first_place, last_place (bigint)
-- grain:   one row per order and charge that would fit
select place, order_id, charge_id, original_transaction_id, distance, is_standing, is_tainted
from match_contested
where place between :'first_place'::bigint and :'last_place'::bigint
order by place, order_id, charge_id;
