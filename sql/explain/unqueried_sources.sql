-- purpose: Apple's sources about some chains and apps that were not queried, as phrases and as fields.
-- parameters: chains, bundle_ids, environments (text[]): parallel arrays, an empty chain for an app alone; as_of (timestamptz)
-- grain:   one row per source
with app_chain as materialized (
    select named.*
    from unnest(:'chains'::text[], :'bundle_ids'::text[], :'environments'::text[])
        as named (original_transaction_id, bundle_id, environment)
),
chain as materialized (select app_chain.* from app_chain where app_chain.original_transaction_id <> ''),
customer as materialized (
    select
        chain.bundle_id, chain.environment, chain.original_transaction_id,
        transactions.app_transaction_id, transactions.app_account_token
    from chain
    inner join transactions using (original_transaction_id, bundle_id, environment)
),
named as (
    select customer.bundle_id, customer.environment, customer.original_transaction_id, id.name
    from customer
    cross join lateral (
        values (customer.original_transaction_id), (customer.app_transaction_id), (customer.app_account_token)
    ) as id (name)
    where id.name is not null
    union
    select chain.bundle_id, chain.environment, chain.original_transaction_id, purchases.customer_id
    from chain
    inner join customer_purchases as purchases using (original_transaction_id, bundle_id, environment)
),
collected as (
    select collections.job, collections.bundle_id, collections.environment, collections.subject
    from collections
    where collections.bundle_id in (select app_chain.bundle_id from app_chain)
        and collections.collected_to <= :'as_of'::timestamptz
        and (collections.job = 'notifications' or collections.subject in (select named.name from named))
),
source as (
    select 1 as place, app.bundle_id, app.environment, null as original_transaction_id, 'notification history' as source
    from (select distinct app_chain.bundle_id, app_chain.environment from app_chain) as app
    where (app.bundle_id, app.environment) not in (
        select collected.bundle_id, collected.environment from collected where collected.job = 'notifications'
    )
    union all
    select 2, subscription.bundle_id, subscription.environment, subscription.original_transaction_id, 'subscription status'
    from chain
    inner join subscriptions_of(:'as_of'::timestamptz, array(select distinct chain.original_transaction_id from chain)) as subscription
        using (original_transaction_id, bundle_id, environment)
    where subscription.last_polled_at is null
    union all
    select 3, chain.bundle_id, chain.environment, chain.original_transaction_id, list.source
    from chain
    cross join lateral (values ('transactions', 'transaction history'), ('refunds', 'refund history')) as list (job, source)
    where not exists (
        select 1
        from named
        inner join collected using (bundle_id, environment)
        where collected.subject = named.name
            and collected.job = list.job
            and named.bundle_id = chain.bundle_id
            and named.environment = chain.environment
            and named.original_transaction_id = chain.original_transaction_id
    )
)
select
    'source' as kind,
    phrase('explain.not_asked', jsonb_build_object('facts', jsonb_build_array(
        coalesce(
            phrase('explain.of', jsonb_build_object('what', phrase('word.' || source.source), 'id', source.original_transaction_id)),
            phrase('word.' || source.source)
        ),
        source.environment, phrase('explain.app', 'id', source.bundle_id)
    )))::text as text,
    json_build_object(
        'source', source.source, 'bundle_id', source.bundle_id, 'environment', source.environment,
        'original_transaction_id', source.original_transaction_id
    )::text as fields
from source
order by
    (source.place || ' ' || source.source || coalesce(source.original_transaction_id, '') || source.bundle_id || source.environment)
    collate "C";
