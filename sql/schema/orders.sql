-- purpose: Our side: orders and users, each with its earlier versions.

-- Orders in their newest version.
-- grain: one row per order
create table payrecon.orders (
    order_id text collate "C" not null,        -- Our id of the order
    bundle_id text collate "C" not null,       -- App, by its bundle id
    product_id text collate "C" not null,      -- Product, by its id in App Store Connect
    user_id text collate "C" not null,         -- Our id of the user
    status text collate "C" not null,          -- created, paid, delivered, cancelled, refunded or revoked
    environment text collate "C" not null,     -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    currency text collate "C",                 -- ISO 4217 code
    storefront text collate "C",               -- App Store of the purchase, a country code of three letters
    app_account_token text collate "C",        -- UUID that our app passes to Apple to name the user
    application_username text collate "C",     -- User name that old apps passed to Apple
    transaction_id text collate "C",           -- Apple's transaction that the order names
    original_transaction_id text collate "C",  -- First transaction that the order names
    web_order_line_item_id text collate "C",   -- Line item that the order names
    device_id text collate "C",                -- Device, as the client reports it
    evidence_sha256 bytea,                     -- Hash of the evidence that the order names
    operator_id text collate "C",              -- Employee who booked it by hand
    quantity integer not null,                 -- Number of units
    price_milliunits bigint,                   -- Price that we booked, in thousandths of the currency
    content_hash bigint not null,              -- First 8 bytes of the hash of all fields, the tie-breaker between versions of one instant
    batch_id bigint not null,                  -- Batch that stated this version: payrecon.batches
    created_at timestamptz not null,           -- When the order was created
    updated_at timestamptz not null,           -- When this version was made; the greatest one counts
    paid_at timestamptz,                       -- When it was paid
    delivered_at timestamptz,                  -- When the goods were delivered
    refunded_at timestamptz,                   -- When we refunded it
    entitlement_expires_at timestamptz,        -- When the access that we granted ends
    stated_at timestamptz,                     -- Clock of the input, for a row without its own date; null if updated_at is the shop's
    consumption_millipercent integer,          -- Share of the goods that was used, in thousandths of a percent
    consumption_consent boolean,               -- Whether Apple may be told so; null if the order says neither
    mapping_number integer not null default 0,  -- Newest mapping that read this version, as in payrecon.batches
    constraint orders_pkey primary key (order_id),
    constraint orders_status check (
        status in ('created', 'paid', 'delivered', 'cancelled', 'refunded', 'revoked')
    ),
    constraint orders_quantity check (quantity >= 1),
    constraint orders_price check (price_milliunits >= 0),
    constraint orders_consumption check (consumption_millipercent between 0 and 100000)
);
-- Finds the orders of a device.
create index orders_device on payrecon.orders (device_id) where device_id is not null;
-- Finds the orders that name an evidence hash.
create index orders_evidence on payrecon.orders (evidence_sha256) where evidence_sha256 is not null;
-- Finds the orders that name a line item.
create index orders_line_item on payrecon.orders (web_order_line_item_id) where web_order_line_item_id is not null;
-- Reads orders that employees booked, each night.
create index orders_operator on payrecon.orders (operator_id) where operator_id is not null;
-- Finds the orders that name a first transaction.
create index orders_original on payrecon.orders (original_transaction_id) where original_transaction_id is not null;
-- Finds the orders that carry a token.
create index orders_token on payrecon.orders (app_account_token) where app_account_token is not null;
-- Finds the orders that name a transaction.
create index orders_transaction on payrecon.orders (transaction_id) where transaction_id is not null;
-- Finds the orders of a user.
create index orders_user on payrecon.orders (user_id);

-- Versions of an order that a newer one replaced; together with payrecon.orders its whole history.
-- grain: one row per order, batch that stated the version, updated_at and replacing batch
create table payrecon.order_versions (
    order_id text collate "C" not null,        -- Our id of the order
    bundle_id text collate "C" not null,       -- App, by its bundle id
    product_id text collate "C" not null,      -- Product, by its id in App Store Connect
    user_id text collate "C" not null,         -- Our id of the user
    status text collate "C" not null,          -- created, paid, delivered, cancelled, refunded or revoked
    environment text collate "C" not null,     -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    currency text collate "C",                 -- ISO 4217 code
    storefront text collate "C",               -- App Store of the purchase, a country code of three letters
    app_account_token text collate "C",        -- UUID that our app passes to Apple to name the user
    application_username text collate "C",     -- User name that old apps passed to Apple
    transaction_id text collate "C",           -- Apple's transaction that the order names
    original_transaction_id text collate "C",  -- First transaction that the order names
    web_order_line_item_id text collate "C",   -- Line item that the order names
    device_id text collate "C",                -- Device, as the client reports it
    evidence_sha256 bytea,                     -- Hash of the evidence that the order names
    operator_id text collate "C",              -- Employee who booked it by hand
    quantity integer not null,                 -- Number of units
    price_milliunits bigint,                   -- Price that we booked, in thousandths of the currency
    content_hash bigint not null,              -- First 8 bytes of the hash of all fields, the tie-breaker between versions of one instant
    batch_id bigint not null,                  -- Batch that stated this version: payrecon.batches
    created_at timestamptz not null,           -- When the order was created
    updated_at timestamptz not null,           -- When this version was made; the greatest one counts
    paid_at timestamptz,                       -- When it was paid
    delivered_at timestamptz,                  -- When the goods were delivered
    refunded_at timestamptz,                   -- When we refunded it
    entitlement_expires_at timestamptz,        -- When the access that we granted ends
    consumption_millipercent integer,          -- Share of the goods that was used, in thousandths of a percent
    consumption_consent boolean,               -- Whether Apple may be told so; null if the order says neither
    replaced_by_batch_id bigint not null,      -- Batch whose row replaced this version
    constraint order_versions_pkey primary key (order_id, batch_id, updated_at, replaced_by_batch_id)
);
-- As orders_device, in the past.
create index order_versions_device on payrecon.order_versions (device_id) where device_id is not null;
-- As orders_evidence, in the past.
create index order_versions_evidence on payrecon.order_versions (evidence_sha256) where evidence_sha256 is not null;
-- As orders_line_item, in the past.
create index order_versions_line_item on payrecon.order_versions (web_order_line_item_id) where web_order_line_item_id is not null;
-- Finds the versions that an employee booked, for an erasure.
create index order_versions_operator on payrecon.order_versions (operator_id) where operator_id is not null;
-- As orders_original, in the past.
create index order_versions_original on payrecon.order_versions (original_transaction_id) where original_transaction_id is not null;
-- Finds the versions that a batch replaced.
create index order_versions_replaced on payrecon.order_versions (replaced_by_batch_id);
-- As orders_token, in the past.
create index order_versions_token on payrecon.order_versions (app_account_token) where app_account_token is not null;
-- As orders_transaction, in the past.
create index order_versions_transaction on payrecon.order_versions (transaction_id) where transaction_id is not null;
-- As orders_user, in the past.
create index order_versions_user on payrecon.order_versions (user_id);

-- Clocks under which undated order rows were repeated, so that an order repeated each night is not rewritten each night.
-- grain: one row per set of orders
create table payrecon.order_readings (
    ids_hash text collate "C" not null,  -- Hash of the order ids
    first_id text collate "C" not null,  -- Smallest of the ids
    last_id text collate "C" not null,   -- Greatest of the ids
    stated_at timestamptz not null,      -- Clock of the latest input that repeated them
    ids text[] not null,                 -- Order ids
    constraint order_readings_pkey primary key (ids_hash)
);
-- Finds the readings since a clock.
create index order_readings_stated_at on payrecon.order_readings (stated_at);

-- Users in their newest version.
-- grain: one row per user
create table payrecon.users (
    user_id text collate "C" not null,                   -- Our id of the user
    app_account_token text collate "C",                  -- UUID that our app passes to Apple to name the user
    home_storefront text collate "C",                    -- Storefront of the user's home country
    is_tester boolean not null,                          -- Whether the user is one of our testers
    batch_id bigint not null,                            -- Batch that stated this version: payrecon.batches
    created_at timestamptz,                              -- When the account was created
    erased_at timestamptz,                               -- When the shop erased the user
    stated_at timestamptz not null default '-infinity',  -- Clock of the latest input that stated it, repeats included
    consumption_consent boolean,                         -- Whether Apple may be told how purchases were used; null if not stated
    mapping_number integer not null default 0,           -- Newest mapping that read it at that clock, as in payrecon.batches
    constraint users_pkey primary key (user_id)
);
-- Reads the testers.
create index users_tester on payrecon.users (user_id) where is_tester;

-- Versions of a user that a newer one replaced.
-- grain: one row per user, batch and replacing batch
create table payrecon.user_versions (
    user_id text collate "C" not null,     -- Our id of the user
    app_account_token text collate "C",    -- UUID that our app passes to Apple to name the user
    home_storefront text collate "C",      -- Storefront of the user's home country
    is_tester boolean not null,            -- Whether the user is one of our testers
    batch_id bigint not null,              -- Batch that stated this version: payrecon.batches
    created_at timestamptz,                -- When the account was created
    erased_at timestamptz,                 -- When the shop erased the user
    consumption_consent boolean,           -- Whether Apple may be told how purchases were used; null if not stated
    replaced_by_batch_id bigint not null,  -- Batch whose row replaced this version
    constraint user_versions_pkey primary key (user_id, batch_id, replaced_by_batch_id)
);

-- Tokens that a user ever held.
-- grain: one row per token and user
create table payrecon.user_tokens (
    app_account_token text collate "C" not null,  -- UUID that our app passes to Apple to name the user
    user_id text collate "C" not null,            -- Our id of the user
    batch_id bigint not null,                     -- Of the batches that state the pair, the one with the earliest clock
    constraint user_tokens_pkey primary key (app_account_token, user_id)
);
-- Finds the tokens of a user.
create index user_tokens_user on payrecon.user_tokens (user_id);

-- Tokens that more than one user has or had, after accounts were merged. Readers check the current holders.
-- grain: one row per token
create table payrecon.shared_tokens (
    app_account_token text collate "C" not null,  -- UUID that our app passes to Apple to name the user
    constraint shared_tokens_pkey primary key (app_account_token)
);
-- Finds the rows of a few batches or of the latest runs.
create index orders_ranges on payrecon.orders using brin (batch_id, created_at) with (autosummarize = on);

-- Indexes dropped by a first load of orders and built at its end. After a killed load the next run builds them.
-- grain: one row per index that is not built
create table payrecon.deferred_indexes (
    index_name text collate "C" not null,  -- Name of the index
    definition text not null,              -- Statement that creates it
    constraint deferred_indexes_pkey primary key (index_name)
);
