-- purpose: undecided order files that fit their purchases only with one constant offset, as when local times are written as
--          UTC. An order fits a purchase if it was created before it and paid or delivered after it, within five minutes. A
--          sample of each chunk is compared with purchases that the order names, that carry a token of its user, or whose
--          evidence its user uploaded. Renewals are booked later and say nothing about a clock.
-- grain:   one row per file in which at least ten orders, and two thirds of those with known purchases, fit only by
--          offset_seconds
-- example: an order created at 18:00:00Z, delivered at 18:00:40Z, for a purchase at 10:00:20Z: 8 h ahead
with sample as materialized (
    select distinct changed.id as order_id
    from changes
    cross join lateral unnest(changes.ids[1:200]) as changed (id)
    where changes.kind in ('order', 'order_state')
),
booked as materialized (
    select
        orders.order_id, orders.bundle_id, orders.product_id, orders.user_id, orders.app_account_token, orders.transaction_id,
        orders.created_at, least(orders.paid_at, orders.delivered_at) as booked_at, batches.file_name,
        coalesce(batches.first_batch_id, batches.batch_id) as first_batch_id
    from sample
    inner join payrecon.orders on orders.order_id = sample.order_id
    inner join batches on batches.batch_id = orders.batch_id
    where orders.environment = 'Production'
        and is_booked(orders.status, orders.paid_at, orders.delivered_at)
),
user_token as materialized (
    select booked.order_id, user_tokens.app_account_token
    from booked
    inner join payrecon.user_tokens on user_tokens.user_id = booked.user_id
),
upload as materialized (
    select booked.order_id, uploads.sha256
    from booked
    inner join payrecon.uploads on uploads.user_id = booked.user_id and uploads.user_id <> ''
),
uploaded as materialized (
    select upload.order_id, evidence.original_transaction_id, evidence.charge_id
    from upload
    inner join payrecon.evidence on evidence.sha256 = upload.sha256
    where evidence.charge_id is not null
),
purchase as materialized (
    select booked.order_id, transactions.*
    from booked
    inner join payrecon.transactions on transactions.transaction_id = booked.transaction_id
    union all
    select booked.order_id, transactions.*
    from booked
    inner join payrecon.transactions on transactions.app_account_token = booked.app_account_token
    union all
    select user_token.order_id, transactions.*
    from user_token
    inner join payrecon.transactions on transactions.app_account_token = user_token.app_account_token
    union all
    select uploaded.order_id, transactions.*
    from uploaded
    inner join payrecon.transactions using (original_transaction_id, charge_id)
),
pair as (
    select booked.order_id, booked.first_batch_id, booked.file_name, booked.created_at, booked.booked_at, purchase.purchased_at
    from booked
    inner join purchase using (order_id, bundle_id, product_id)
    where purchase.environment = 'Production'
        and purchase.transaction_reason is distinct from 'RENEWAL'
        and purchase.purchased_at < coalesce(purchase.original_purchased_at, purchase.purchased_at) + interval '1 day'
        and purchase.purchased_at between booked.created_at - interval '15 hours' and booked.created_at + interval '15 hours'
),
-- Time zones are multiples of a quarter hour, and none but UTC is within an hour of it.
quarter as (
    select number * interval '15 minutes' as span
    from generate_series(-48, 56) as number
    where abs(number) >= 4
),
fitting_order as materialized (
    select distinct pair.order_id, pair.first_batch_id, quarter.span
    from pair
    inner join quarter
        on pair.created_at - quarter.span between pair.purchased_at - interval '15 minutes' and pair.purchased_at + interval '5 minutes'
        and coalesce(pair.booked_at - quarter.span >= pair.purchased_at - interval '5 minutes', true)
    where pair.order_id not in (
        select fitting.order_id
        from pair as fitting
        where fitting.created_at <= fitting.purchased_at + interval '5 minutes'
            and coalesce(fitting.booked_at >= fitting.purchased_at - interval '5 minutes', true)
    )
),
file as (
    select first_batch_id, min(file_name) as file_name, count(distinct order_id) as order_count
    from pair
    group by first_batch_id
),
fitting as (
    select
        first_batch_id, span, count(*) as order_count,
        row_number() over (partition by first_batch_id order by count(*) desc, abs(extract(epoch from span))) as place
    from fitting_order
    group by first_batch_id, span
)
select file.file_name, extract(epoch from fitting.span)::bigint as offset_seconds, fitting.order_count as fitting_count, file.order_count
from file
inner join fitting on fitting.first_batch_id = file.first_batch_id and fitting.place = 1
where fitting.order_count >= 10
    and fitting.order_count * 3 >= file.order_count * 2
order by file.first_batch_id;
