-- purpose: Subscriptions around the end of their period: requests to Apple, plans, forecasts, outcomes.

-- Next request of each subscription that has one.
-- grain: one row per subscription, app and environment
create table payrecon.poll_queue (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    bundle_id text collate "C" not null,                -- App, by its bundle id
    environment text collate "C" not null,              -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    slot text collate "C" not null,                     -- Name of the request's place in the schedule
    worker text collate "C",                            -- Worker that takes it; null if free
    last_fault text collate "C",                        -- Why the last request failed
    exposure_milliunits bigint not null,                -- Money that depends on the answer, in thousandths; used only for ordering
    fault_count integer not null default 0,             -- Failed requests in a row
    opens_at timestamptz not null,                      -- When it may be requested
    due_at timestamptz not null,                        -- When it must be requested
    lease_until timestamptz,                            -- End of the worker's lease
    currency text collate "C" not null,                 -- Currency of the exposure
    constraint poll_queue_pkey primary key (original_transaction_id, bundle_id, environment)
);
-- Reads the due requests of an app.
create index poll_queue_due_at_idx on payrecon.poll_queue (bundle_id, due_at);

-- Requests that Apple answered. The primary key keeps a subscription from being requested twice for one slot.
-- grain: one row per subscription, app, environment and slot
create table payrecon.polls (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    bundle_id text collate "C" not null,                -- App, by its bundle id
    environment text collate "C" not null,              -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    slot text collate "C" not null,                     -- Name of the request's place in the schedule
    answer text collate "C" not null,                   -- found, not_found, refused or receipt
    worker text collate "C" not null,                   -- Worker that requested it
    run_id text collate "C" not null,                   -- Run that recorded it: payrecon.runs
    apple_status integer,                               -- Apple's status of the subscription, 1 to 5; null if the answer has none
    slot_at timestamptz not null,                       -- Instant of the slot
    requested_at timestamptz not null,                      -- Clock of the request
    constraint polls_pkey primary key (original_transaction_id, bundle_id, environment, slot_at),
    constraint polls_answer check (answer in ('found', 'not_found', 'refused', 'receipt'))
);

-- Work list: subscriptions with news since the queue was last updated.
-- grain: one row per subscription
create table payrecon.renewal_news (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    batch_id bigint not null,                           -- Newest batch with news; 0 for an answered request
    constraint renewal_news_pkey primary key (original_transaction_id)
);

-- Latest update of an app's queue.
-- grain: one row per app
create table payrecon.renewal_refreshes (
    bundle_id text collate "C" not null,     -- App, by its bundle id
    code_version text collate "C" not null,  -- Version of the schedule
    refreshed_at timestamptz not null,       -- Clock of the update
    constraint renewal_refreshes_pkey primary key (bundle_id)
);

-- Business days whose due subscriptions were frozen.
-- grain: one row per app and day
create table payrecon.renewal_plans (
    bundle_id text collate "C" not null,    -- App, by its bundle id
    due_day date not null,                  -- Business day on which the period falls due
    time_zone text collate "C" not null,    -- Time zone of the day
    plan_run_id text collate "C" not null,  -- Run that froze it: payrecon.runs
    member_count bigint not null,           -- Subscriptions that are due
    day_from timestamptz not null,          -- Start of the day
    day_to timestamptz not null,            -- End of the day
    frozen_at timestamptz not null,         -- Clock of the freeze
    constraint renewal_plans_pkey primary key (bundle_id, due_day)
);

-- Subscriptions that are due on a planned day, as known when it was frozen.
-- grain: one row per subscription, app and day
create table payrecon.renewal_plan_members (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    bundle_id text collate "C" not null,                -- App, by its bundle id
    due_day date not null,                              -- Business day on which the period falls due
    charge_id text collate "C" not null,                -- Charge of the period that ends: payrecon.charges
    product_id text collate "C" not null,               -- Product of the period that ends
    renewal_product_id text collate "C" not null,       -- Product that it renews to
    subscription_group text collate "C",                -- Subscription group; a customer has at most one of its subscriptions at a time
    storefront text collate "C" not null,               -- App Store of the purchase, a country code of three letters
    currency text collate "C" not null,                 -- ISO 4217 code
    user_id text collate "C",                           -- Our id of the user
    status text collate "C" not null,                   -- Status of the subscription
    due_milliunits bigint not null,                     -- Price of the next period, in thousandths of the currency
    is_renewing boolean not null,                       -- Whether it is set to renew
    is_price_increase_pending boolean not null,         -- Whether the customer has not agreed to a price increase
    is_in_retry boolean not null,                       -- Whether Apple is trying to collect the payment
    is_in_grace boolean not null,                       -- Whether it is in its grace period
    is_offer_to_full_price boolean not null,            -- Whether an offer ends and the full price begins
    purchased_at timestamptz not null,                  -- When the customer bought it, as stated by Apple
    expires_at timestamptz not null,                    -- When the period ends
    constraint renewal_plan_members_pkey primary key (original_transaction_id, bundle_id, due_day)
);
-- Reads the members of a plan.
create index renewal_plan_members_due_day_idx on payrecon.renewal_plan_members (bundle_id, due_day);

-- Expected renewals of a plan, by cell.
-- grain: one row per app, day, product, storefront and currency
create table payrecon.renewal_forecasts (
    bundle_id text collate "C" not null,    -- App, by its bundle id
    due_day date not null,                  -- Business day on which the period falls due
    product_id text collate "C" not null,   -- Product, by its id in App Store Connect
    storefront text collate "C" not null,   -- App Store of the purchase, a country code of three letters
    currency text collate "C" not null,     -- ISO 4217 code
    basis text collate "C" not null,        -- Source of the rate: product and storefront, product, app, or none
    history_count bigint not null,          -- Members of earlier plans that the rate rests on
    history_renewed_count bigint not null,  -- Of these: renewed
    rate_bp bigint not null,                -- Rate of renewal, in basis points
    forecast_count bigint not null,         -- Renewals that are expected
    forecast_milliunits bigint not null,    -- Money that is expected, in thousandths of the currency
    low_count bigint not null,              -- Lower bound of the renewals
    high_count bigint not null,             -- Upper bound of the renewals
    low_milliunits bigint not null,         -- Lower bound of the money
    high_milliunits bigint not null,        -- Upper bound of the money
    constraint renewal_forecasts_pkey primary key (bundle_id, due_day, product_id, storefront, currency)
);

-- Outcomes of plan members, one row per change; the newest row counts.
-- grain: one row per subscription, app, day and change
create table payrecon.renewal_outcomes (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    bundle_id text collate "C" not null,                -- App, by its bundle id
    due_day date not null,                              -- Business day on which the period falls due
    outcome text collate "C" not null,                  -- Outcome, such as renewed_on_time
    charge_id text collate "C",                         -- Charge of the next period; null if none
    transaction_id text collate "C",                    -- Its transaction
    order_id text collate "C",                          -- Its order
    run_id text collate "C" not null,                   -- Run that recorded it: payrecon.runs
    actual_milliunits bigint,                           -- Money that Apple charged, in thousandths of the plan's currency; null if none
    has_charge boolean not null,                        -- Whether Apple charged
    has_order_without_renewal boolean not null,         -- Whether we booked an order without charge
    has_entitlement_overrun boolean not null,           -- Whether our access outlasts Apple's period
    settled_at timestamptz not null,                    -- Clock of the change
    constraint renewal_outcomes_pkey primary key (original_transaction_id, bundle_id, due_day, settled_at),
    constraint renewal_outcomes_outcome check (
        outcome in (
            'renewed_on_time', 'renewed_in_grace', 'recovered_retry', 'expired_voluntary', 'expired_billing',
            'expired_price', 'expired_unavailable', 'expired_unknown', 'upgraded', 'downgraded', 'crossgraded',
            'revoked_before_due', 'extended', 'still_retry', 'still_grace', 'unpolled', 'poll_error'
        )
    )
);
-- Reads the outcomes of a plan.
create index renewal_outcomes_due_day_idx on payrecon.renewal_outcomes (bundle_id, due_day);
