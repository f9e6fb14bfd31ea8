-- purpose: Returns products as known at a clock.
create or replace function payrecon.products_at(clock timestamptz) returns setof payrecon.products
language sql stable parallel safe
as $$
    select products.*
    from payrecon.products
    where batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
    union all
    select bundle_id, product_id, type, subscription_group, period, is_family_shareable, batch_id, null, null
    from payrecon.product_versions
    where replaced_by_batch_id in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
        and batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
$$;
