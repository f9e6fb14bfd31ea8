-- purpose: R02 account sharing: one purchase or subscription presented by many users, in an upload or in a matched or
--          refused order.
-- traps:   a household and merged accounts count once; a new installation is the same user; a restore to another login is
--          legal (hence more than users_max); testers do not count; consumables are handled by R01.
-- parameters: as_of (timestamptz), window (interval), users_max, listed_max (bigint)
-- grain:   one signal per app and original transaction id
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, charge_id, currency, amount_milliunits, score, happened_at, detail, inputs
)
with claimed as (
    select uploads.charge_id, uploads.user_id, uploads.device_id, uploads.received_at as seen_at
    from in_uploads as uploads
    where uploads.user_id <> ''
        and uploads.charge_id is not null
        and uploads.received_at >= :'as_of'::timestamptz - :'window'::interval
        and uploads.received_at <= :'as_of'::timestamptz
    union all
    select rule_refused.charge_id, rule_refused.user_id, coalesce(rule_refused.device_id, ''), rule_refused.created_at
    from rule_refused
    where rule_refused.charge_id is not null
        and rule_refused.created_at >= :'as_of'::timestamptz - :'window'::interval
        and rule_refused.created_at <= :'as_of'::timestamptz
),
-- Purchases that may be shared, read once.
sold as materialized (
    select charges.bundle_id, charges.original_transaction_id, charges.charge_id
    from in_charges as charges
    where charges.environment = 'Production'
        and charges.type in ('auto_renewable', 'non_consumable')
        and charges.ownership = 'PURCHASED'
),
purchase as materialized (
    select sold.bundle_id, sold.original_transaction_id, claimed.user_id, claimed.device_id, claimed.seen_at
    from claimed
    inner join sold on sold.charge_id = claimed.charge_id
),
-- More than users_max users present a purchase more than users_max times. It has at least as many charges as matches.
frequent as materialized (
    select presented.original_transaction_id
    from (
        select sold.original_transaction_id from sold
        union all
        select purchase.original_transaction_id from purchase
    ) as presented
    group by presented.original_transaction_id
    having count(*) > :'users_max'::bigint
),
frequent_sold as materialized (
    select sold.*
    from frequent
    inner join sold on sold.original_transaction_id = frequent.original_transaction_id
),
eligible as materialized (
    select purchase.*
    from frequent
    inner join purchase on purchase.original_transaction_id = frequent.original_transaction_id
    union all
    select
        frequent_sold.bundle_id, frequent_sold.original_transaction_id, orders.user_id, coalesce(orders.device_id, ''),
        orders.created_at
    from frequent_sold
    inner join in_matches as matches using (original_transaction_id, charge_id)
    inner join in_orders as orders on orders.order_id = matches.order_id
    where orders.created_at >= :'as_of'::timestamptz - :'window'::interval
        and orders.created_at <= :'as_of'::timestamptz
),
-- One user presents most purchases; the others are few.
shared as materialized (
    select eligible.bundle_id, eligible.original_transaction_id
    from eligible
    group by eligible.bundle_id, eligible.original_transaction_id
    having min(eligible.user_id) <> max(eligible.user_id)
        or :'users_max'::bigint < 1
),
edge as (
    select
        eligible.bundle_id, eligible.original_transaction_id, eligible.user_id,
        coalesce(
            (
                select min('family:' || rule_household.family)
                from rule_household
                where rule_household.user_id = eligible.user_id
                    and rule_household.covers @> eligible.seen_at
            ),
            rule_person.person, eligible.user_id
        ) as person,
        eligible.device_id, eligible.seen_at
    from shared
    inner join eligible using (bundle_id, original_transaction_id)
    left join rule_person on rule_person.user_id = eligible.user_id
    where not exists (
            select 1
            from rule_tester
            where rule_tester.bundle_id in (eligible.bundle_id, '')
                and rule_tester.user_id = eligible.user_id
                and rule_tester.allowed @> eligible.seen_at
        )
),
-- A user that presented it inside and outside of a household's span counts once.
presenter as (
    select
        edge.*,
        case
            when min(person) over of_user = max(person) over of_user then person
            else user_id
        end as counted
    from edge
    window of_user as (partition by bundle_id, original_transaction_id, user_id)
),
chain as materialized (
    select
        bundle_id, original_transaction_id,
        count(distinct counted) as person_count,
        count(distinct nullif(device_id, '')) as device_count,
        array_agg(distinct user_id order by user_id) as user_ids,
        min(seen_at) as first_at, max(seen_at) as last_at
    from presenter
    group by bundle_id, original_transaction_id
    having count(distinct counted) > :'users_max'::bigint
),
newest as materialized (
    select distinct on (charges.original_transaction_id, charges.bundle_id)
        charges.original_transaction_id, charges.bundle_id, charges.charge_id, charges.currency, charges.price_milliunits
    from chain
    inner join charges using (original_transaction_id, bundle_id)
    where charges.environment = 'Production'
    order by charges.original_transaction_id, charges.bundle_id, charges.purchased_at desc, charges.charge_id
)
select
    'R02',
    'chain',
    chain.original_transaction_id,
    chain.bundle_id,
    newest.charge_id,
    newest.currency,
    newest.price_milliunits,
    chain.person_count,
    chain.last_at,
    phrase(
        case when cardinality(chain.user_ids) > chain.person_count then 'detail.shared_by_once' else 'detail.shared_by' end,
        jsonb_build_object('users', chain.person_count, 'devices', chain.device_count)
    ),
    json_build_object(
        'original_transaction_id', chain.original_transaction_id, 'users', chain.person_count,
        'devices', chain.device_count, 'user_ids', to_json(chain.user_ids[1:(:'listed_max'::bigint)::integer]),
        'first_at', rfc3339(chain.first_at), 'last_at', rfc3339(chain.last_at)
    )::text
from chain
left join newest
    on newest.original_transaction_id = chain.original_transaction_id
    and newest.bundle_id = chain.bundle_id;
