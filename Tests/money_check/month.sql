-- purpose: a month of a large shop, written by SQL: charges with their orders and matches, and Apple's lines about them in which
--          a few differ. What arrives is not measured here, so nothing is signed.
-- parameters: charges (how many), skus (how many products), day (the first of the period's 28 days)
set synchronous_commit = off;
set work_mem = '256MB';

insert into payrecon.batches (kind, file_name, content_sha256, source, run_id, state, is_clock_given, known_at)
values ('apple', 'month', 'month', 'import', 'month', 'done', true, timestamptz '2026-10-01 00:00:00+00');

create unlogged table public.month_sale as
with place as (
    select
        numbered.*,
        (array['USD', 'EUR', 'CNY', 'JPY', 'GBP'])[1 + numbered.number % 5] as currency
    from (
        select storefront, country, region, zone, row_number() over (order by storefront) - 1 as number
        from payrecon.storefronts
    ) as numbered
    where numbered.number < 175
),
drawn as (
    select
        serial as number, abs(hashint8extended(serial, 1)) % :skus as sku, abs(hashint8extended(serial, 2)) % 175 as place,
        (abs(hashint8extended(serial, 3)) % 28)::integer as day, (abs(hashint8extended(serial, 4)) % 86400)::integer as second,
        abs(hashint8extended(serial, 5)) % 1000 as chance
    from generate_series(1, :charges) as serial
)
select
    drawn.number, md5(drawn.number::text) as charge_id, 'com.acme.reader.sku_' || drawn.sku as sku, place.storefront, place.country,
    place.region, place.currency, (drawn.sku % 20 + 1) * 100000 as price, drawn.chance, date :'day' + drawn.day as day,
    ((date :'day' + drawn.day)::timestamp + (drawn.second || ' seconds')::interval) at time zone place.zone as purchased_at,
    -- One sale in fifty is refunded within the period.
    case when drawn.chance >= 980 then least(27, drawn.day + 1 + drawn.chance::integer % 9) end as back
from drawn
inner join place on place.number = drawn.place;

insert into payrecon.charges (
    original_transaction_id, charge_id, environment, bundle_id, product_id, type, state, ownership, storefront, currency,
    transaction_ids, quantity, price_milliunits, refunded_milliunits, batch_id, is_renewal, is_upgraded, purchased_at, revoked_at,
    revocation_type, signed_at
)
select
    charge_id, charge_id, 'Production', 'com.acme.reader', sku, 'consumable',
    case when back is null then 'charged' else 'refunded' end, 'PURCHASED', storefront, currency, array[charge_id], 1, price,
    case when back is null then 0 else price end, batch.batch_id, false, false, purchased_at,
    -- At the same hour of a later day.
    purchased_at + (back - (day - date :'day')) * interval '1 day', case when back is not null then 'REFUND_FULL' end,
    purchased_at + interval '2 seconds'
from public.month_sale
cross join (select max(batch_id) as batch_id from payrecon.batches) as batch;

insert into payrecon.orders (
    order_id, bundle_id, product_id, user_id, status, environment, currency, storefront, transaction_id, quantity,
    price_milliunits, content_hash, batch_id, created_at, updated_at, paid_at, delivered_at
)
select
    'A' || number, 'com.acme.reader', sku, 'u' || number, case when back is null then 'delivered' else 'refunded' end,
    'Production', currency, storefront, charge_id, 1, price, 0, batch.batch_id, purchased_at - interval '1 minute',
    purchased_at + interval '9 seconds', purchased_at + interval '5 seconds', purchased_at + interval '8 seconds'
from public.month_sale
cross join (select max(batch_id) as batch_id from payrecon.batches) as batch
-- One sale in five hundred was never booked.
where number % 500 <> 7;

insert into payrecon.matches (original_transaction_id, charge_id, order_id, rung, run_id, confidence, valid_from)
select charge_id, charge_id, 'A' || number, 'M1', 'month', 'exact', timestamptz '2026-10-01 00:00:00+00'
from public.month_sale
where number % 500 <> 7;

insert into payrecon.matched_orders (order_id, charge_id, original_transaction_id)
select 'A' || number, charge_id, charge_id
from public.month_sale
where number % 500 <> 7;

-- In a thousand sales, Apple lacks two, has one on the day before, and has one twice.
create unlogged table public.month_line as
select
    line.sku, line.country, line.region, line.currency, line.price, line.sign, line.day, sum(line.units) as units
from (
    select sku, country, region, currency, price, 1 as sign, case chance when 2 then greatest(day - 1, date :'day') else day end as day,
        case chance when 3 then 2 else 1 end as units
    from public.month_sale
    where chance not in (0, 1)
    union all
    select sku, country, region, currency, price, -1, date :'day' + back, 1
    from public.month_sale
    where back is not null
) as line
group by 1, 2, 3, 4, 5, 6, 7;
vacuum analyze payrecon.charges, payrecon.orders, payrecon.matches, payrecon.matched_orders, public.month_line;
