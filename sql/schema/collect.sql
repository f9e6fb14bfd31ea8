-- purpose: Progress of requests to Apple, and the shared budget of Apple's rate limits.

-- Progress of one list of Apple: a notification window, a customer's history, refunds or receipts.
-- grain: one row per list
create table payrecon.collections (
    job text collate "C" not null,          -- notifications, transactions, refunds or receipts
    bundle_id text collate "C" not null,    -- App, by its bundle id
    environment text collate "C" not null,  -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    subject text collate "C" not null,      -- Customer or transaction that the list is about; empty for a whole app
    cursor text collate "C",                -- Apple's token of the next page
    batch_id bigint,                        -- Batch that stores the list: payrecon.batches
    window_from timestamptz,                -- Start of the window in progress
    window_to timestamptz,                  -- End of the window in progress
    collected_to timestamptz,               -- End of the last window that was read completely
    constraint collections_pkey primary key (job, bundle_id, environment, subject),
    constraint collections_job check (job in ('notifications', 'transactions', 'refunds', 'receipts'))
);

-- Ids unknown in every Apple environment. A miss alone proves nothing, so the id is requested again.
-- grain: one row per app and transaction
create table payrecon.api_misses (
    bundle_id text collate "C" not null,       -- App, by its bundle id
    transaction_id text collate "C" not null,  -- Apple's id of the transaction
    requested_at timestamptz not null,             -- Clock of the latest request
    constraint api_misses_pkey primary key (bundle_id, transaction_id)
);

-- Notifications that Apple could not deliver at once, as its answers stated; the one with the most attempts counts.
-- grain: one row per notification and state of its delivery
create table payrecon.missed_notifications (
    evidence_sha256 bytea not null,         -- The notification: payrecon.evidence
    attempt_count integer not null,         -- Attempts up to the answer
    last_result text collate "C" not null,  -- SUCCESS if one delivered it, else Apple's result of the last
    batch_id bigint not null,               -- Batch that first stated it: payrecon.batches
    constraint missed_notifications_pkey primary key (evidence_sha256, attempt_count, last_result)
);

-- Purchases that one history of Apple lists together, so that each customer is requested once.
-- grain: one row per purchase
create table payrecon.customer_purchases (
    bundle_id text collate "C" not null,                -- App, by its bundle id
    environment text collate "C" not null,              -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    customer_id text collate "C" not null,              -- Key of the customer's progress: Apple's id of the customer, or of one purchase
    constraint customer_purchases_pkey primary key (original_transaction_id, bundle_id, environment)
);

-- Pages of Apple's histories that were read from files, so that a missing last page is noticed.
-- grain: one row per batch, line and page
create table payrecon.history_pages (
    batch_id bigint not null,               -- Batch that first stated it: payrecon.batches
    line bigint not null,                   -- Line of the file
    sha256 bytea not null,                  -- Hash of the page
    list text collate "C" not null,         -- List of Apple: transactions or refunds
    bundle_id text collate "C" not null,    -- App, by its bundle id
    environment text collate "C" not null,  -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    keys text[] not null,                   -- Hashes that pages of one customer share
    has_more boolean not null,              -- Whether another page follows
    names_customer boolean not null,        -- Whether one key names the customer
    constraint history_pages_pkey primary key (batch_id, line, sha256)
);

-- Apple's rate limits, shared by all workers. Each worker reserves the next stretch of time, by the server's clock.
-- grain: one row per app, environment and endpoint
create table payrecon.api_budgets (
    bundle_id text collate "C" not null,    -- App, by its bundle id
    environment text collate "C" not null,  -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    endpoint text collate "C" not null,     -- Apple's endpoint
    requested_at timestamptz not null,          -- When a stretch was last reserved
    begins_at timestamptz not null,         -- Start of the next free stretch at that time
    taken_to timestamptz not null,          -- End of the last reserved stretch
    paused_to timestamptz,                  -- End of the pause that Apple last requested
    constraint api_budgets_pkey primary key (bundle_id, environment, endpoint)
);

-- App Store Connect's answers about each report.
-- grain: one row per vendor, report and period
create table payrecon.finance_downloads (
    vendor text collate "C" not null,   -- Vendor number
    report text collate "C" not null,   -- Kind of report
    period text collate "C" not null,   -- Day or fiscal period of the report
    outcome text collate "C" not null,  -- report, no_sales, not_ready, forbidden, wrong_vendor, outside_retention or refused
    words text collate "C" not null,    -- Apple's answer
    ask_count integer not null,         -- Number of requests
    requested_at timestamptz not null,      -- Clock of the latest request
    taken_at timestamptz,               -- When the report was stored
    content_sha256 text collate "C",    -- Hash of the stored file's bytes: payrecon.finance_files
    constraint finance_downloads_pkey primary key (vendor, report, period),
    constraint finance_downloads_outcome check (
        outcome in ('report', 'no_sales', 'not_ready', 'forbidden', 'wrong_vendor', 'outside_retention', 'refused')
    )
);
