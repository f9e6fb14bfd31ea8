-- purpose: stores products. A reading at a later clock replaces an earlier one; at one clock a newer mapping replaces an
--          older one. Of the other rows of one clock the last in sort order counts. The result depends neither on the order
--          of files nor of rows. Marks the staged rows that changed a product.
-- grain:   one row per staged row with the new values of a changed product
with reading as materialized (
    select batches.batch_id, reading_clock(batches.batch_id) as stated_at, batches.mapping_number
    from batches
    where batches.batch_id = (select min(batch_id) from staged_product)
),
best as materialized (
    select distinct on (bundle_id, product_id)
        bundle_id, product_id, type, subscription_group, period, is_family_shareable
    from staged_product
    order by
        bundle_id, product_id, type desc, subscription_group desc nulls last, period desc nulls last,
        is_family_shareable desc nulls last
),
known as materialized (
    select products.*
    from best
    inner join products using (bundle_id, product_id)
),
judged as materialized (
    select
        best.*, reading.batch_id, reading.stated_at, reading.mapping_number, known.batch_id as known_batch_id,
        known.product_id is null or (
            best.type, best.subscription_group, best.period, best.is_family_shareable
        ) is distinct from (known.type, known.subscription_group, known.period, known.is_family_shareable) as is_changed
    from best
    cross join reading
    left join known using (bundle_id, product_id)
    where known.product_id is null
        or (reading.stated_at, reading.mapping_number) > (known.stated_at, known.mapping_number)
        or (
            (reading.stated_at, reading.mapping_number) = (known.stated_at, known.mapping_number)
            and (
                best.type, coalesce(best.subscription_group, ''), coalesce(best.period, ''),
                coalesce(best.is_family_shareable::int, -1)
            ) > (
                known.type, coalesce(known.subscription_group, ''), coalesce(known.period, ''),
                coalesce(known.is_family_shareable::int, -1)
            )
        )
),
recorded as (
    insert into products (bundle_id, product_id, type, subscription_group, period, is_family_shareable, batch_id, stated_at, mapping_number)
    select
        bundle_id, product_id, type, subscription_group, period, is_family_shareable,
        -- A repeat keeps the batch of its first reading.
        case when is_changed then batch_id else known_batch_id end, stated_at, mapping_number
    from judged
    on conflict (bundle_id, product_id) do update
    set
        type = excluded.type,
        subscription_group = excluded.subscription_group,
        period = excluded.period,
        is_family_shareable = excluded.is_family_shareable,
        batch_id = excluded.batch_id,
        stated_at = excluded.stated_at,
        mapping_number = excluded.mapping_number
),
kept as (
    insert into product_versions (
        bundle_id, product_id, type, subscription_group, period, is_family_shareable, batch_id, replaced_by_batch_id
    )
    select
        known.bundle_id, known.product_id, known.type, known.subscription_group, known.period, known.is_family_shareable,
        known.batch_id, judged.batch_id
    from judged
    inner join known using (bundle_id, product_id)
    where judged.is_changed
    on conflict do nothing
)
update staged_product
set states_product = true
from judged
where judged.is_changed
    and judged.bundle_id = staged_product.bundle_id
    and judged.product_id = staged_product.product_id
    and (judged.type, judged.subscription_group, judged.period, judged.is_family_shareable) is not distinct from (
        staged_product.type, staged_product.subscription_group, staged_product.period, staged_product.is_family_shareable
    );
