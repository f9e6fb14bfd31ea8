-- purpose: replaces erased users in staged orders, also as the employee who booked an order.
-- grain:   one row per row changed
with person as (
    select staged_order.user_id from staged_order
    union
    select staged_order.operator_id from staged_order where staged_order.operator_id is not null
),
erased as materialized (
    select person.user_id, erased_users.pseudonym
    from person
    inner join erased_users on erased_users.user_hash = erasure_hash(person.user_id)
),
renamed as (
    select
        staged_order.ctid as place, buyer.pseudonym as buyer, operator.pseudonym as operator
    from staged_order
    left join erased as buyer on buyer.user_id = staged_order.user_id
    left join erased as operator on operator.user_id = staged_order.operator_id
    where exists (select 1 from erased_users)
        and coalesce(buyer.pseudonym, operator.pseudonym) is not null
)
update staged_order
set
    user_id = coalesce(renamed.buyer, staged_order.user_id),
    application_username = case when renamed.buyer is null then staged_order.application_username end,
    operator_id = coalesce(renamed.operator, staged_order.operator_id)
from renamed
where staged_order.ctid = renamed.place;
