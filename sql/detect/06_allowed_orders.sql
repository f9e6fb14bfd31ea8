-- purpose: orders whose users may hold the live goods of the unpaid purchase that they claim: testers, and users of a review
--          window that was open at the purchase. A purchase of an environment that is not booked, such as Xcode, has no
--          charge and counts from its order.
-- parameters: as_of (timestamptz); bundles, users, froms, tos (text[]): the settings' spans, one element each
-- grain:   one row per order
create temp table detect_allowed_order on commit drop as
select distinct detect_open_order.order_id
from detect_open_order
left join detect_refused_charge as charges on charges.charge_id = detect_open_order.charge_id
inner join sandbox_holders(:'as_of'::timestamptz, :'bundles'::text[], :'users'::text[], :'froms'::text[], :'tos'::text[]) as holder
    on holder.bundle_id in (detect_open_order.bundle_id, '')
    and holder.user_id in (detect_open_order.user_id, '')
    and holder.allowed @> coalesce(charges.purchased_at, detect_open_order.created_at)
where detect_open_order.class = 'SANDBOX_IN_PROD';
