-- purpose: users that bought in a storefront other than their home storefront.
-- parameters: as_of (timestamptz), lookback (interval)
-- grain:   one row per user
insert into rule_interest (user_id)
select distinct differing_pair.user_id
from differing_pair
where differing_pair.is_abroad
    and differing_pair.purchased_at >= :'as_of'::timestamptz - :'lookback'::interval;
