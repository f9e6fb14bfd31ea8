-- purpose: users without activity since an instant and without open items or legal reasons to keep them; candidates for
--          erasure.
-- parameters: as_of, since (timestamptz), kept (text[]): users named in the settings, row_max (bigint)
-- grain:   one row per user, ordered by id
with open_break as (
    select state.user_id, state.order_id
    from breaks_at(:'as_of'::timestamptz) as state
    where state.is_open
    union all
    select pending_breaks.user_id, pending_breaks.order_id
    from pending_breaks
),
-- Charges with recent facts, or that a customer owns permanently.
live_charge as (
    select charges.original_transaction_id, charges.bundle_id, charges.environment, charges.app_account_token
    from charges
    where greatest(charges.purchased_at, charges.expires_at, charges.revoked_at, charges.reversed_at)
            >= :'since'::timestamptz
        or (charges.type = 'non_consumable' and access_ended_at(charges.revoked_at, charges.revocation_type) is null)
),
holder as (
    select orders.user_id, orders.bundle_id, orders.environment, matched_orders.original_transaction_id
    from matched_orders
    inner join orders on orders.order_id = matched_orders.order_id
),
kept as (
    -- The operator of an order is a person, too.
    select person.user_id
    from orders
    cross join lateral (values (orders.user_id), (orders.operator_id)) as person (user_id)
    where greatest(
            orders.created_at, orders.updated_at, orders.paid_at, orders.delivered_at, orders.refunded_at,
            orders.entitlement_expires_at
        ) >= :'since'::timestamptz
    union all
    select users.user_id
    from users
    left join batches on batches.batch_id = users.batch_id
    where users.is_tester
        or coalesce(users.created_at, batches.known_at) >= :'since'::timestamptz
    union all
    select uploads.user_id
    from uploads
    where uploads.received_at >= :'since'::timestamptz
    union all
    select user_tokens.user_id
    from user_tokens
    inner join live_charge on live_charge.app_account_token = user_tokens.app_account_token
    union all
    select orders.user_id
    from orders
    inner join live_charge on live_charge.app_account_token = orders.app_account_token
    union all
    select holder.user_id
    from holder
    inner join live_charge using (original_transaction_id, bundle_id, environment)
    union all
    select renewal_plan_members.user_id
    from renewal_plan_members
    where renewal_plan_members.expires_at >= :'since'::timestamptz
    union all
    select open_break.user_id
    from open_break
    union all
    select person.user_id
    from open_break
    inner join orders on orders.order_id = open_break.order_id
    cross join lateral (values (orders.user_id), (orders.operator_id)) as person (user_id)
    union all
    select state.subject_id
    from cases_at(:'as_of'::timestamptz) as state
    where state.subject_kind = 'user'
        and state.status not in ('closed', 'lapsed')
    union all
    select list_entries.subject_id
    from list_entries
    where list_entries.subject_kind = 'user'
        and list_entries.valid_to > :'as_of'::timestamptz
        and not exists (select 1 from list_removals where list_removals.entry_id = list_entries.entry_id)
    union all
    select named.user_id
    from unnest(:'kept'::text[]) as named (user_id)
    union all
    select erased_users.pseudonym
    from erased_users
),
person as (select users.user_id from users union select orders.user_id from orders)
select person.user_id
from person
where not exists (select 1 from kept where kept.user_id = person.user_id)
    -- Skips users that are already erased.
    and not exists (select 1 from erased_users where erased_users.user_hash = erasure_hash(person.user_id))
order by person.user_id
limit :'row_max'::bigint;
