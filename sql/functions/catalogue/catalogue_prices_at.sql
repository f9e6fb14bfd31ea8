-- purpose: Returns catalogue prices as known at a clock.
create or replace function payrecon.catalogue_prices_at(clock timestamptz) returns setof payrecon.catalogue_prices
language sql stable parallel safe
as $$
    select catalogue_prices.*
    from payrecon.catalogue_prices
    where batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
    union all
    select bundle_id, product_id, storefront, currency, price_milliunits, batch_id, valid_from, null, null
    from payrecon.catalogue_price_versions
    where replaced_by_batch_id in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
        and batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
$$;
