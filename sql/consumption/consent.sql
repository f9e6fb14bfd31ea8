-- purpose: the consent to an answer as stored now, and the recorded end of its request.
-- parameters: order_id, transaction_id, bundle_id, environment (text); requested_at (timestamptz)
-- grain:   one row, none if the order is not stored
with holder as materialized (
    select orders.user_id, orders.consumption_consent
    from payrecon.orders
    where orders.order_id = :'order_id'::text
),
person as materialized (
    select users.consumption_consent, users.erased_at
    from payrecon.users
    where users.user_id = (select holder.user_id from holder)
)
select
    holder.consumption_consent as order_consent,
    (select person.consumption_consent from person) as user_consent,
    (select person.erased_at from person) is not null
        or holder.user_id in (select erased_users.pseudonym from payrecon.erased_users) as is_erased,
    (
        select outcomes.outcome
        from payrecon.consumption_outcomes as outcomes
        where outcomes.transaction_id = :'transaction_id'::text
            and outcomes.bundle_id = :'bundle_id'::text
            and outcomes.environment = :'environment'::text
            and outcomes.requested_at = :'requested_at'::timestamptz
    ) as outcome
from holder;
