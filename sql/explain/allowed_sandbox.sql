-- purpose: testers lists and settings that allow the user of an order the goods of a refused sandbox purchase, as phrases.
-- parameters: order_id, charge_id (text); as_of (timestamptz); bundles, users, froms, tos (text[]): the settings' spans,
--             parallel arrays
-- grain:   one row per allowing entry; none if there is none or the order is refused for another reason
with ordered as materialized (
    select orders.bundle_id, orders.user_id from orders where orders.order_id = :'order_id'::text and orders.environment = 'Production'
),
charged as materialized (
    select charges.purchased_at
    from charges
    where charges.charge_id = :'charge_id'::text
        and charges.environment <> 'Production'
)
select distinct
    case
        when holder.allowed_by = 'users' then phrase('explain.allowed_users', 'id', ordered.user_id)
        when holder.allowed_by = 'list' then phrase('explain.allowed_users_list', 'id', ordered.user_id)
        when upper(holder.allowed) < 'infinity'
            then phrase('explain.allowed_review', 'from', rfc3339(lower(holder.allowed)), 'to', rfc3339(upper(holder.allowed)))
        else phrase('explain.allowed_settings', 'id', ordered.user_id)
    end::text as line,
    false as is_detail
from ordered
cross join charged
inner join sandbox_holders(:'as_of'::timestamptz, :'bundles'::text[], :'users'::text[], :'froms'::text[], :'tos'::text[]) as holder
    on holder.bundle_id in (ordered.bundle_id, '')
    and holder.user_id in (ordered.user_id, '')
    and holder.allowed @> charged.purchased_at
order by line;
