-- purpose: Returns the period of each product from one instant of knowledge to the next, with all its periods in that order.
--          Before the first catalogue a product has no period.
-- grain:   one row per product and instant at which a version of it became known, and one from -infinity on
create or replace function payrecon.product_periods() returns table (
    bundle_id text, product_id text, period text, known_from timestamptz, known_to timestamptz, periods text[],
    known_ats timestamptz[]
)
language sql stable parallel safe
as $$
    select
        bundle_id, product_id, period, known_at, lead(known_at, 1, 'infinity') over by_product, array_agg(period) over whole,
        array_agg(known_at) over whole
    from (
        select products.bundle_id, products.product_id, null as period, 0 as batch_id, '-infinity'::timestamptz as known_at
        from payrecon.products
        union all
        select version.bundle_id, version.product_id, version.period, version.batch_id, batches.known_at
        from (
            select products.bundle_id, products.product_id, products.period, products.batch_id from payrecon.products
            union all
            select versions.bundle_id, versions.product_id, versions.period, versions.batch_id
            from payrecon.product_versions as versions
        ) as version
        inner join batches on batches.batch_id = version.batch_id
    ) as entry
    window
        by_product as (partition by bundle_id, product_id order by known_at, batch_id),
        whole as (by_product rows between unbounded preceding and unbounded following)
$$;
