-- purpose: differences between Apple's current answer about charges and the state at the latest detection, on which cases
--          are based.
-- parameters: transaction_ids (text[]): requested; unknown_ids (text[]): those unknown in both environments; as_of
--             (timestamptz), row_max (bigint)
-- grain:   one row per charge and field that differs
with detected as (
    select coalesce(max(detections.as_of), :'as_of'::timestamptz) as at
    from detections
    where detections.as_of <= :'as_of'::timestamptz
),
requested_transactions as materialized (
    select distinct
        transactions.transaction_id, transactions.original_transaction_id, transactions.bundle_id, transactions.environment
    from unnest(:'transaction_ids'::text[]) as wanted (id)
    inner join transactions on transactions.transaction_id = wanted.id
),
now_known as materialized (
    select distinct charges.*
    from requested_transactions
    inner join charges using (original_transaction_id, bundle_id, environment)
    where requested_transactions.transaction_id = any(charges.transaction_ids)
),
requested as materialized (
    select now_known.charge_id, min(requested_transactions.transaction_id) as transaction_id
    from now_known
    inner join requested_transactions
        on requested_transactions.transaction_id = any(now_known.transaction_ids)
        and requested_transactions.bundle_id = now_known.bundle_id
        and requested_transactions.environment = now_known.environment
    group by now_known.charge_id
),
wanted as (
    select
        coalesce(array_agg(original_transaction_id order by charge_id), '{}') as chains,
        coalesce(array_agg(charge_id order by charge_id), '{}') as stated_ids
    from now_known
),
statement as (
    select true as is_now, now_known.* from now_known
    union all
    select false, gathered.*
    from detected
    cross join wanted
    cross join lateral charges_of(detected.at, wanted.chains, wanted.stated_ids) as gathered
),
fields as (
    select statement.charge_id, statement.is_now, field.place, field.name, field.value collate "C" as value
    from statement
    cross join lateral (
        values
        (1, 'state', statement.state),
        (2, 'refunded', money_text(statement.refunded_milliunits, statement.currency)),
        (3, 'revoked_at', rfc3339(statement.revoked_at)),
        (4, 'expires_at', rfc3339(statement.expires_at)),
        (5, 'product', statement.product_id),
        (6, 'quantity', statement.quantity::text),
        (7, 'price', money_text(statement.price_milliunits, statement.currency)),
        (8, 'ownership', statement.ownership),
        (9, 'environment', statement.environment),
        (10, 'app_account_token', lower(statement.app_account_token)),
        (11, 'upgraded', statement.is_upgraded::text)
    ) as field (place, name, value)
),
differs as (
    select fields.charge_id, fields.place, fields.name,
        max(fields.value) filter (where not fields.is_now) as known,
        max(fields.value) filter (where fields.is_now) as reported
    from fields
    group by fields.charge_id, fields.place, fields.name
    having max(fields.value) filter (where not fields.is_now) is distinct from max(fields.value) filter (where fields.is_now)
        -- A charge that was unknown before is reported by one line.
        and (bool_or(not fields.is_now) or fields.place = 1)
    union all
    select requested.charge_id, 0, 'known to Apple', 'yes', 'no'
    from requested
    where requested.transaction_id = any(:'unknown_ids'::text[])
)
select requested.transaction_id, differs.charge_id, differs.name as field, differs.known, differs.reported as apple_says
from differs
inner join requested on requested.charge_id = differs.charge_id
order by requested.transaction_id collate "C", differs.charge_id collate "C", differs.place
limit :'row_max'::bigint;
