-- purpose: Apple's side: signed transactions, the charges they describe, renewal information and notifications.

-- Statements about a transaction, one per signed text, receipt or answer that lists it. Charges are computed from all of them.
-- grain: one row per charge, evidence and instant of the statement
create table payrecon.transactions (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    charge_id text collate "C" not null,                -- Charge that the statement is about: payrecon.charges
    evidence_sha256 bytea not null,                     -- Evidence that states it: payrecon.evidence
    transaction_id text collate "C" not null,           -- Apple's id of the transaction
    environment text collate "C" not null,              -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    bundle_id text collate "C" not null,                -- App, by its bundle id
    product_id text collate "C" not null,               -- Product, by its id in App Store Connect
    type text collate "C",                              -- consumable, non_consumable, auto_renewable or non_renewing
    ownership text collate "C",                         -- PURCHASED or FAMILY_SHARED
    web_order_line_item_id text collate "C",            -- Apple's id of one period of a subscription
    subscription_group text collate "C",                -- Subscription group; a customer has at most one of its subscriptions at a time
    app_account_token text collate "C",                 -- UUID that our app passes to Apple to name the user
    transaction_reason text collate "C",                -- PURCHASE or RENEWAL
    storefront text collate "C",                        -- App Store of the purchase, a country code of three letters
    currency text collate "C",                          -- ISO 4217 code
    offer_discount_type text collate "C",               -- FREE_TRIAL, PAY_AS_YOU_GO or PAY_UP_FRONT
    revocation_type text collate "C",                   -- Kind of revocation, as Apple states it
    app_transaction_id text collate "C",                -- Apple's id of the customer's download of the app
    quantity integer,                                   -- Number of units; null if the text does not say
    offer_type integer,                                 -- Apple's code of the offer: 1 introductory, 2 promotional, 3 code, 4 win-back
    price_milliunits bigint,                            -- Price of all units, in thousandths of the currency
    refunded_milliunits bigint,                         -- Refunded money, in thousandths; null if the price is unknown
    revocation_percentage bigint,                       -- Refunded share, in thousandths of a percent
    batch_id bigint not null,                           -- Batch that first stated it: payrecon.batches
    is_upgraded boolean not null,                       -- Whether the customer upgraded to another product before the end
    purchased_at timestamptz not null,                  -- When the customer bought it, as stated by Apple
    original_purchased_at timestamptz,                  -- When the customer first bought it
    expires_at timestamptz,                             -- When the paid period ends
    revoked_at timestamptz,                             -- When Apple revoked it
    signed_at timestamptz not null,                     -- When Apple made the statement
    stated_in text collate "C" not null,                -- Kind of text: transaction, receipt or verify_receipt
    -- Refunded money of items of an Advanced Commerce purchase; null if no item states a refund
    items_refunded_milliunits bigint,
    constraint transactions_pkey primary key (original_transaction_id, charge_id, evidence_sha256, signed_at),
    constraint transactions_stated_in check (stated_in in ('transaction', 'receipt', 'verify_receipt'))
);
-- Finds the charge of a period that was reported without its line item.
create index transactions_bare on payrecon.transactions (charge_id)
where web_order_line_item_id is null
    and coalesce(type = 'auto_renewable', expires_at is not null);
-- Finds the purchases that carry a token.
create index transactions_token on payrecon.transactions (app_account_token) where app_account_token is not null;
-- Finds a transaction by Apple's id.
create index transactions_transaction on payrecon.transactions (transaction_id);
-- Reads such periods of a chain when its charges are rebuilt.
create index transactions_without_line_item on payrecon.transactions (original_transaction_id)
where web_order_line_item_id is null and coalesce(type = 'auto_renewable', expires_at is not null);

-- Payments of customers to Apple, computed from all statements of a charge; rewritten when a new one arrives.
-- grain: one row per charge
create table payrecon.charges (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    charge_id text collate "C" not null,                -- Hash of the charge's identity: Sources/Domain/Purchases/ChargeIdentity.swift
    environment text collate "C" not null,              -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    bundle_id text collate "C" not null,                -- App, by its bundle id
    product_id text collate "C" not null,               -- Product, by its id in App Store Connect
    type text collate "C" not null,                     -- consumable, non_consumable, auto_renewable or non_renewing
    state text collate "C" not null,                    -- charged, refunded, partly_refunded, family or free
    ownership text collate "C" not null,                -- PURCHASED or FAMILY_SHARED
    web_order_line_item_id text collate "C",            -- Apple's id of one period of a subscription
    app_account_token text collate "C",                 -- UUID that our app passes to Apple to name the user
    storefront text collate "C",                        -- App Store of the purchase, a country code of three letters
    currency text collate "C",                          -- ISO 4217 code
    revocation_type text collate "C",                   -- Kind of the newest revocation, as Apple states it
    transaction_ids text[] collate "C" not null,        -- Apple's ids of the transactions, oldest first
    quantity integer not null,                          -- Number of units
    offer_type integer,                                 -- Apple's code of the offer, as in payrecon.transactions
    price_milliunits bigint,                            -- Price of all units, in thousandths of the currency
    refunded_milliunits bigint,                         -- Refunded money, in thousandths; null if the price is unknown
    batch_id bigint not null,                           -- Batch that first stated it: payrecon.batches
    is_renewal boolean not null,                        -- Whether it is a renewal of a subscription
    is_upgraded boolean not null,                       -- Whether the customer upgraded to another product before the end
    purchased_at timestamptz not null,                  -- When the customer bought it, as stated by Apple
    expires_at timestamptz,                             -- When the paid period ends
    revoked_at timestamptz,                             -- When Apple revoked it
    reversed_at timestamptz,                            -- When Apple reversed a refund
    signed_at timestamptz not null,                     -- When Apple made the newest statement
    subscription_group text collate "C",                -- Subscription group; a customer has at most one of its subscriptions at a time
    first_revoked_at timestamptz,                       -- When it was first revoked; null while equal to revoked_at
    refunded_since timestamptz,                         -- First stated instant of the current refund
    constraint charges_pkey primary key (original_transaction_id, charge_id),
    constraint charges_state check (state in ('charged', 'refunded', 'partly_refunded', 'family', 'free'))
);
-- Reads the few charges without money, for the bridge.
create index charges_apart on payrecon.charges (charge_id) where state in ('family', 'free') or environment <> 'Production';
-- Finds a charge by its id.
create index charges_charge on payrecon.charges (charge_id);
-- Reads family copies, for rules.
create index charges_family on payrecon.charges (charge_id) where state = 'family';
-- Finds a charge by its line item.
create index charges_line_item on payrecon.charges (web_order_line_item_id) where web_order_line_item_id is not null;
-- Reads charges at an introductory or win-back offer, for rules.
create index charges_offered on payrecon.charges (purchased_at) where offer_type in (1, 4);
-- Reads a product's charges of one day, for the tie-out.
create index charges_product on payrecon.charges (product_id, bundle_id, ((purchased_at at time zone 'UTC')::date));
-- Reads reversed refunds, for the tie-out.
create index charges_reversed on payrecon.charges (reversed_at) where reversed_at is not null;
-- Reads refunds, for rules.
create index charges_revoked on payrecon.charges (revoked_at) where revoked_at is not null;
-- Reads upgraded periods, for the tie-out.
create index charges_upgraded on payrecon.charges (purchased_at) where is_upgraded;

-- Apps that have charges.
-- grain: one row per app
create table payrecon.charged_apps (
    bundle_id text collate "C" not null,  -- App, by its bundle id
    constraint charged_apps_pkey primary key (bundle_id)
);

-- Signed renewal information of a subscription.
-- grain: one row per subscription, evidence, instant and app
create table payrecon.renewal_infos (
    original_transaction_id text collate "C" not null,  -- Apple's id of the first transaction of the purchase or subscription
    evidence_sha256 bytea not null,                     -- Evidence that states it: payrecon.evidence
    environment text collate "C" not null,              -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    product_id text collate "C" not null,               -- Product that the subscription has now
    auto_renew_product_id text collate "C",             -- Product that it renews to
    currency text collate "C",                          -- ISO 4217 code
    auto_renew_status integer,                          -- 1 if it renews, 0 if not
    expiration_intent integer,                          -- Apple's code of the reason why it ends
    price_increase_status integer,                      -- 1 if the customer agreed to a price increase, 0 if not yet
    renewal_price_milliunits bigint,                    -- Price of the next period, in thousandths of the currency
    batch_id bigint not null,                           -- Batch that first stated it: payrecon.batches
    is_in_billing_retry boolean,                        -- Whether Apple is trying to collect the payment
    grace_expires_at timestamptz,                       -- When the grace period ends
    renewal_at timestamptz,                             -- When it renews next
    signed_at timestamptz not null,                     -- When Apple signed it
    bundle_id text collate "C" not null default '',     -- App of the enclosing text; empty if it came alone
    constraint renewal_infos_pkey primary key (original_transaction_id, evidence_sha256, signed_at, bundle_id)
);

-- App Store Server Notifications.
-- grain: one row per notification and evidence
create table payrecon.notifications (
    notification_uuid text collate "C" not null,  -- Apple's id of the notification
    evidence_sha256 bytea not null,               -- Evidence that states it: payrecon.evidence
    type text collate "C" not null,               -- Apple's type, such as DID_RENEW
    subtype text collate "C" not null,            -- Apple's subtype; empty if none
    bundle_id text collate "C" not null,          -- App, by its bundle id
    environment text collate "C" not null,        -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    original_transaction_id text collate "C",     -- Apple's id of the first transaction of the purchase or subscription
    status integer,                               -- Apple's status of the subscription, 1 to 5
    batch_id bigint not null,                     -- Batch that first stated it: payrecon.batches
    signed_at timestamptz not null,               -- When Apple signed it
    consumption_reason text collate "C",          -- Customer's reason for a refund, as Apple's request for consumption states it
    constraint notifications_pkey primary key (notification_uuid, evidence_sha256)
);
-- Reads refund requests and refunds, for rules and reports.
create index notifications_about_refunds on payrecon.notifications (signed_at)
where type in ('CONSUMPTION_REQUEST', 'REFUND', 'REFUND_DECLINED');
-- Finds the notification of an item.
create index notifications_evidence on payrecon.notifications using hash (evidence_sha256);
-- Reads the notifications of a subscription.
create index notifications_original_transaction_id_idx on payrecon.notifications (original_transaction_id);
-- Finds the rows of a few batches or of the latest runs.
create index charges_ranges on payrecon.charges using brin (purchased_at) with (autosummarize = on);
-- Finds the rows of a few batches or of the latest runs.
create index transactions_ranges on payrecon.transactions using brin (batch_id) with (autosummarize = on);
