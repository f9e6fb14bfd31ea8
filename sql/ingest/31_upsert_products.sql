-- purpose: records products; of two descriptions the one that sorts last wins, so that order of arrival does not matter.
-- parameters: none
-- grain:   one row per product touched
with recorded as (
    insert into products as known (
        bundle_id, product_id, type, subscription_group, period, is_family_shareable, batch_id
    )
    select distinct on (bundle_id, product_id)
        bundle_id, product_id, type, subscription_group, period, is_family_shareable, batch_id
    from staged_product
    order by
        bundle_id, product_id, type desc, subscription_group desc nulls last, period desc nulls last,
        is_family_shareable desc nulls last
    on conflict (bundle_id, product_id) do update
    set
        type = excluded.type,
        subscription_group = excluded.subscription_group,
        period = excluded.period,
        is_family_shareable = excluded.is_family_shareable,
        batch_id = excluded.batch_id
    where (
            excluded.type, coalesce(excluded.subscription_group, ''), coalesce(excluded.period, ''),
            coalesce(excluded.is_family_shareable, false)
        ) > (
            known.type, coalesce(known.subscription_group, ''), coalesce(known.period, ''),
            coalesce(known.is_family_shareable, false)
        )
    returning bundle_id, product_id, batch_id
),
-- The statement reads what was there before it: the version that is replaced.
kept as (
    insert into product_versions (
        bundle_id, product_id, type, subscription_group, period, is_family_shareable, batch_id, replaced_by_batch_id
    )
    select
        products.bundle_id, products.product_id, products.type, products.subscription_group, products.period,
        products.is_family_shareable, products.batch_id, recorded.batch_id
    from recorded
    inner join products
        on products.bundle_id = recorded.bundle_id
        and products.product_id = recorded.product_id
    on conflict do nothing
)
select count(*) as changed_count
from recorded;
