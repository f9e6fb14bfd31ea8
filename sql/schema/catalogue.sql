-- purpose: Products and prices, as our catalogue states them.

-- Products in their newest version.
-- grain: one row per product
create table payrecon.products (
    bundle_id text collate "C" not null,                 -- App, by its bundle id
    product_id text collate "C" not null,                -- Product, by its id in App Store Connect
    type text collate "C" not null,                      -- consumable, non_consumable, auto_renewable or non_renewing
    subscription_group text collate "C",                 -- Subscription group; a customer has at most one of its subscriptions at a time
    period text collate "C",                             -- Length of a subscription's period, such as P1M
    is_family_shareable boolean,                         -- Whether family members may use it
    batch_id bigint not null,                            -- Batch that stated this version: payrecon.batches
    stated_at timestamptz not null default '-infinity',  -- Clock of the latest input that stated it, repeats included
    mapping_number integer not null default 0,           -- Newest mapping that read it at that clock, as in payrecon.batches
    constraint products_pkey primary key (bundle_id, product_id),
    constraint products_type check (
        type in ('consumable', 'non_consumable', 'auto_renewable', 'non_renewing')
    )
);

-- Versions of a product that a newer one replaced.
-- grain: one row per product, batch and replacing batch
create table payrecon.product_versions (
    bundle_id text collate "C" not null,   -- App, by its bundle id
    product_id text collate "C" not null,  -- Product, by its id in App Store Connect
    type text collate "C" not null,        -- consumable, non_consumable, auto_renewable or non_renewing
    subscription_group text collate "C",   -- Subscription group; a customer has at most one of its subscriptions at a time
    period text collate "C",               -- Length of a subscription's period, such as P1M
    is_family_shareable boolean,           -- Whether family members may use it
    batch_id bigint not null,              -- Batch that stated this version: payrecon.batches
    replaced_by_batch_id bigint not null,  -- Batch whose row replaced this version
    constraint product_versions_pkey primary key (bundle_id, product_id, batch_id, replaced_by_batch_id)
);

-- Prices in their newest version.
-- grain: one row per product, storefront, currency and start
create table payrecon.catalogue_prices (
    bundle_id text collate "C" not null,                 -- App, by its bundle id
    product_id text collate "C" not null,                -- Product, by its id in App Store Connect
    storefront text collate "C" not null,                -- Storefront; empty for all storefronts of the currency
    currency text collate "C" not null,                  -- ISO 4217 code
    price_milliunits bigint not null,                    -- Price of one unit, in thousandths of the currency
    batch_id bigint not null,                            -- Batch that stated this version: payrecon.batches
    valid_from timestamptz not null,                     -- When the price starts; -infinity if it always holds
    stated_at timestamptz not null default '-infinity',  -- Clock of the latest input that stated it, repeats included
    mapping_number integer not null default 0,           -- Newest mapping that read it at that clock, as in payrecon.batches
    constraint catalogue_prices_pkey primary key (bundle_id, product_id, storefront, currency, valid_from),
    constraint catalogue_prices_price check (price_milliunits >= 0)
);

-- Versions of a price that a newer one replaced.
-- grain: one row per price, batch and replacing batch
create table payrecon.catalogue_price_versions (
    bundle_id text collate "C" not null,   -- App, by its bundle id
    product_id text collate "C" not null,  -- Product, by its id in App Store Connect
    storefront text collate "C" not null,  -- Storefront; empty for all storefronts of the currency
    currency text collate "C" not null,    -- ISO 4217 code
    price_milliunits bigint not null,      -- Price of one unit, in thousandths of the currency
    batch_id bigint not null,              -- Batch that stated this version: payrecon.batches
    valid_from timestamptz not null,       -- When the price starts; -infinity if it always holds
    replaced_by_batch_id bigint not null,  -- Batch whose row replaced this version
    constraint catalogue_price_versions_pkey primary key (
        bundle_id, product_id, storefront, currency, valid_from, batch_id, replaced_by_batch_id
    )
);
