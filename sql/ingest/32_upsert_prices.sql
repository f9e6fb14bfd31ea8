-- purpose: stores catalogue prices. For one start instant, a reading at a later clock replaces an earlier one, and at one
--          clock a reading by a newer mapping; of the other prices of one clock the greater counts.
-- grain:   one row: the number of staged rows that changed a price or their product
with reading as materialized (
    select batches.batch_id, reading_clock(batches.batch_id) as stated_at, batches.mapping_number
    from batches
    where batches.batch_id = (select min(batch_id) from staged_product)
),
best as materialized (
    select bundle_id, product_id, storefront, currency, max(price_milliunits) as price_milliunits, valid_from
    from staged_product
    where price_milliunits is not null
        and currency is not null
    group by bundle_id, product_id, storefront, currency, valid_from
),
known as materialized (
    select catalogue_prices.*
    from best
    inner join catalogue_prices using (bundle_id, product_id, storefront, currency, valid_from)
),
judged as materialized (
    select
        best.*, reading.batch_id, reading.stated_at, reading.mapping_number, known.batch_id as known_batch_id,
        known.price_milliunits as known_milliunits,
        known.price_milliunits is distinct from best.price_milliunits as is_changed
    from best
    cross join reading
    left join known using (bundle_id, product_id, storefront, currency, valid_from)
    where known.product_id is null
        or (reading.stated_at, reading.mapping_number) > (known.stated_at, known.mapping_number)
        or (
            (reading.stated_at, reading.mapping_number) = (known.stated_at, known.mapping_number)
            and best.price_milliunits > known.price_milliunits
        )
),
recorded as (
    insert into catalogue_prices (
        bundle_id, product_id, storefront, currency, price_milliunits, batch_id, valid_from, stated_at, mapping_number
    )
    select
        bundle_id, product_id, storefront, currency, price_milliunits,
        -- A repeat keeps the batch of its first reading.
        case when is_changed then batch_id else known_batch_id end, valid_from, stated_at, mapping_number
    from judged
    on conflict (bundle_id, product_id, storefront, currency, valid_from) do update
    set
        price_milliunits = excluded.price_milliunits,
        batch_id = excluded.batch_id,
        stated_at = excluded.stated_at,
        mapping_number = excluded.mapping_number
),
kept as (
    insert into catalogue_price_versions (
        bundle_id, product_id, storefront, currency, price_milliunits, batch_id, valid_from, replaced_by_batch_id
    )
    select bundle_id, product_id, storefront, currency, known_milliunits, known_batch_id, valid_from, batch_id
    from judged
    where is_changed
        and known_batch_id is not null
    on conflict do nothing
),
-- Changed products without a changed price in a row that states both.
product_row as (
    select staged_product.bundle_id, staged_product.product_id
    from staged_product
    left join judged
        on judged.is_changed
        and judged.bundle_id = staged_product.bundle_id
        and judged.product_id = staged_product.product_id
        and judged.storefront = staged_product.storefront
        and judged.currency = staged_product.currency
        and judged.valid_from = staged_product.valid_from
        and judged.price_milliunits = staged_product.price_milliunits
    where staged_product.states_product
    group by staged_product.bundle_id, staged_product.product_id
    having count(judged.product_id) = 0
)
select (select count(*) from judged where judged.is_changed) + (select count(*) from product_row) as changed_count;
