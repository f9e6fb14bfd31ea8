-- purpose: staging table for a chunk of catalogue rows.
-- grain:   one row per input row
create temp table if not exists staged_product (
    bundle_id text collate "C" not null,
    product_id text collate "C" not null,
    type text collate "C" not null,
    subscription_group text collate "C",
    period text collate "C",
    is_family_shareable boolean,
    storefront text collate "C" not null,
    currency text collate "C",
    price_milliunits bigint,
    batch_id bigint not null,
    valid_from timestamptz not null,
    -- Whether the row changed its product (31_upsert_products.sql).
    states_product boolean not null default false
) on commit delete rows;
