-- purpose: what came in, kept as it came: ingest batches, evidence from Apple, orders, users, catalogue, parked input.
-- rules:   identifiers are text and compared exactly; money is bigint thousandths with a currency; instants are timestamptz.
--          every primary key contains the column the table would be distributed by on Citus (named first in each key);
--          no triggers, no sequences in tables filled by insert … select, no clock read by the database.

-- An instant the way every export writes it: UTC, no fraction when it is zero, else three or six digits.
create function payrecon.rfc3339(instant timestamptz) returns text
    language sql stable parallel safe
    return to_char(
        instant at time zone 'UTC',
        case
            when extract(microseconds from instant)::bigint % 1000000 = 0 then 'YYYY-MM-DD"T"HH24:MI:SS"Z"'
            when extract(microseconds from instant)::bigint % 1000 = 0 then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
            else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
        end
    );

-- One input file or stream, read under one clock; never changed once done. A run names the batches it read.
create table payrecon.batches (
    batch_id bigint generated always as identity,
    kind text collate "C" not null,
    file_name text collate "C" not null,
    content_sha256 text collate "C" not null,
    source text collate "C" not null,
    run_id text collate "C" not null,
    state text collate "C" not null,
    items_done bigint not null default 0,
    input_count bigint not null default 0,
    accepted_count bigint not null default 0,
    repeated_count bigint not null default 0,
    ignored_count bigint not null default 0,
    parked_count bigint not null default 0,
    is_clock_given boolean not null,
    known_at timestamptz not null,
    newest_fact_at timestamptz,
    constraint batches_pkey primary key (batch_id),
    constraint batches_kind check (kind in ('orders', 'users', 'catalogue', 'apple')),
    constraint batches_state check (state in ('open', 'done')),
    constraint batches_balance check (
        input_count = accepted_count + repeated_count + ignored_count + parked_count
    )
);
create index batches_content on payrecon.batches (kind, content_sha256);

create table payrecon.orders (
    order_id text collate "C" not null,
    bundle_id text collate "C" not null,
    product_id text collate "C" not null,
    user_id text collate "C" not null,
    status text collate "C" not null,
    environment text collate "C" not null,
    currency text collate "C",
    storefront text collate "C",
    app_account_token text collate "C",
    application_username text collate "C",
    transaction_id text collate "C",
    original_transaction_id text collate "C",
    web_order_line_item_id text collate "C",
    device_id text collate "C",
    evidence_sha256 text collate "C",
    operator_id text collate "C",
    quantity integer not null,
    price_milliunits bigint,
    content_hash bigint not null,
    batch_id bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    paid_at timestamptz,
    delivered_at timestamptz,
    refunded_at timestamptz,
    entitlement_expires_at timestamptz,
    constraint orders_pkey primary key (order_id),
    constraint orders_status check (
        status in ('created', 'paid', 'delivered', 'cancelled', 'refunded', 'revoked')
    ),
    constraint orders_quantity check (quantity >= 1),
    constraint orders_price check (price_milliunits >= 0)
);

-- Versions of an order that a newer one replaced; with payrecon.orders the whole history by known time.
create table payrecon.order_versions (
    like payrecon.orders,
    replaced_by_batch_id bigint not null,
    constraint order_versions_pkey primary key (order_id, batch_id, updated_at, replaced_by_batch_id)
);

create table payrecon.users (
    user_id text collate "C" not null,
    app_account_token text collate "C",
    home_storefront text collate "C",
    is_tester boolean not null,
    batch_id bigint not null,
    created_at timestamptz,
    erased_at timestamptz,
    constraint users_pkey primary key (user_id)
);
create index users_token on payrecon.users (app_account_token);

create table payrecon.products (
    bundle_id text collate "C" not null,
    product_id text collate "C" not null,
    type text collate "C" not null,
    subscription_group text collate "C",
    period text collate "C",
    is_family_shareable boolean,
    batch_id bigint not null,
    constraint products_pkey primary key (bundle_id, product_id),
    constraint products_type check (
        type in ('consumable', 'non_consumable', 'auto_renewable', 'non_renewing')
    )
);

-- storefront '' stands for every storefront of the currency; valid_from '-infinity' for always.
create table payrecon.catalogue_prices (
    bundle_id text collate "C" not null,
    product_id text collate "C" not null,
    storefront text collate "C" not null,
    currency text collate "C" not null,
    price_milliunits bigint not null,
    batch_id bigint not null,
    valid_from timestamptz not null,
    constraint catalogue_prices_pkey primary key (bundle_id, product_id, storefront, currency, valid_from),
    constraint catalogue_prices_price check (price_milliunits >= 0)
);

-- First segments of signed data: equal for every item of one signing certificate, so kept once.
create table payrecon.signed_headers (
    header_sha256 text collate "C" not null,
    header bytea not null,
    constraint signed_headers_pkey primary key (header_sha256)
);

-- Raw bytes from Apple, for ever: header of header_sha256 (if any) followed by body hashes to sha256.
create table payrecon.evidence (
    sha256 text collate "C" not null,
    kind text collate "C" not null,
    verdict text collate "C" not null,
    reason text collate "C" not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    source text collate "C" not null,
    header_sha256 text collate "C",
    charge_id text collate "C",
    transaction_id text collate "C",
    original_transaction_id text collate "C",
    body bytea not null,
    batch_id bigint not null,
    signed_at timestamptz,
    received_at timestamptz not null,
    constraint evidence_pkey primary key (sha256),
    constraint evidence_verdict check (verdict in ('genuine', 'forged', 'malformed', 'foreign', 'pending'))
);

create index evidence_not_genuine on payrecon.evidence (transaction_id, sha256) where verdict <> 'genuine';

-- Which signed item was found inside which; the same item may also come alone, or inside several.
create table payrecon.evidence_links (
    sha256 text collate "C" not null,
    parent_sha256 text collate "C" not null,
    constraint evidence_links_pkey primary key (sha256, parent_sha256)
);

-- Further deliveries of evidence: who handed it over, when, and for which order.
create table payrecon.sightings (
    sha256 text collate "C" not null,
    source text collate "C" not null,
    user_id text collate "C" not null,
    device_id text collate "C" not null,
    order_id text collate "C" not null,
    charge_id text collate "C",
    batch_id bigint not null,
    received_at timestamptz not null,
    constraint sightings_pkey primary key (sha256, source, received_at, user_id, device_id, order_id)
);

-- Values that Apple signed and this version does not recognise; kept, reported, not used.
create table payrecon.unrecognized_values (
    sha256 text collate "C" not null,
    field text collate "C" not null,
    value text collate "C" not null,
    batch_id bigint not null,
    constraint unrecognized_values_pkey primary key (sha256, field)
);

-- One row per signed observation of a transaction; the newest signed_at is the state.
create table payrecon.transactions (
    original_transaction_id text collate "C" not null,
    charge_id text collate "C" not null,
    evidence_sha256 text collate "C" not null,
    transaction_id text collate "C" not null,
    environment text collate "C" not null,
    bundle_id text collate "C" not null,
    product_id text collate "C" not null,
    type text collate "C",
    ownership text collate "C",
    web_order_line_item_id text collate "C",
    subscription_group text collate "C",
    app_account_token text collate "C",
    transaction_reason text collate "C",
    storefront text collate "C",
    currency text collate "C",
    offer_discount_type text collate "C",
    revocation_type text collate "C",
    app_transaction_id text collate "C",
    quantity integer not null,
    offer_type integer,
    price_milliunits bigint,
    refunded_milliunits bigint not null,
    revocation_percentage bigint,
    batch_id bigint not null,
    is_upgraded boolean not null,
    purchased_at timestamptz not null,
    original_purchased_at timestamptz,
    expires_at timestamptz,
    revoked_at timestamptz,
    signed_at timestamptz not null,
    constraint transactions_pkey primary key (original_transaction_id, charge_id, evidence_sha256)
);

-- Charges: transactions gathered by charge identity; a projection, rewritten for a charge whenever it is seen again.
create table payrecon.charges (
    original_transaction_id text collate "C" not null,
    charge_id text collate "C" not null,
    environment text collate "C" not null,
    bundle_id text collate "C" not null,
    product_id text collate "C" not null,
    type text collate "C" not null,
    state text collate "C" not null,
    ownership text collate "C" not null,
    web_order_line_item_id text collate "C",
    app_account_token text collate "C",
    storefront text collate "C",
    currency text collate "C",
    revocation_type text collate "C",
    transaction_ids text[] collate "C" not null,
    quantity integer not null,
    offer_type integer,
    price_milliunits bigint,
    refunded_milliunits bigint not null,
    batch_id bigint not null,
    is_renewal boolean not null,
    is_upgraded boolean not null,
    purchased_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    reversed_at timestamptz,
    signed_at timestamptz not null,
    constraint charges_pkey primary key (original_transaction_id, charge_id),
    constraint charges_state check (state in ('charged', 'refunded', 'partly_refunded', 'family', 'free'))
);

create table payrecon.renewal_infos (
    original_transaction_id text collate "C" not null,
    evidence_sha256 text collate "C" not null,
    environment text collate "C" not null,
    product_id text collate "C" not null,
    auto_renew_product_id text collate "C",
    currency text collate "C",
    auto_renew_status integer,
    expiration_intent integer,
    price_increase_status integer,
    renewal_price_milliunits bigint,
    batch_id bigint not null,
    is_in_billing_retry boolean,
    grace_expires_at timestamptz,
    renewal_at timestamptz,
    signed_at timestamptz not null,
    constraint renewal_infos_pkey primary key (original_transaction_id, evidence_sha256)
);

create table payrecon.notifications (
    notification_uuid text collate "C" not null,
    evidence_sha256 text collate "C" not null,
    type text collate "C" not null,
    subtype text collate "C" not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    original_transaction_id text collate "C",
    status integer,
    batch_id bigint not null,
    signed_at timestamptz not null,
    constraint notifications_pkey primary key (notification_uuid, evidence_sha256)
);

-- Every charge and every order writes its keys once; a rung is one join of the keys of its kind.
-- kind: transaction_id, token, line_item, original, evidence, order_id (an upload's claim), user; side: charge or order.
create table payrecon.match_keys (
    key text collate "C" not null,
    kind text collate "C" not null,
    side text collate "C" not null,
    id text collate "C" not null,
    route text collate "C" not null,
    batch_id bigint not null,
    constraint match_keys_pkey primary key (key, kind, side, id),
    constraint match_keys_side check (side in ('charge', 'order'))
);

-- Input that could not be taken; nothing is lost: file, line, field, reason and the bytes (cut where a limit is named).
create table payrecon.parked_items (
    parked_id text collate "C" not null,
    kind text collate "C" not null,
    file text collate "C" not null,
    field text collate "C" not null,
    reason text collate "C" not null,
    header bytea,
    raw bytea not null,
    line bigint not null,
    byte_count bigint not null,
    batch_id bigint not null,
    constraint parked_items_pkey primary key (parked_id)
);

-- What people or retries did with parked items; the newest row is the state.
create table payrecon.parked_outcomes (
    parked_id text collate "C" not null,
    outcome text collate "C" not null,
    reason text collate "C" not null,
    decided_at timestamptz not null,
    constraint parked_outcomes_pkey primary key (parked_id, decided_at, outcome),
    constraint parked_outcomes_outcome check (outcome in ('retried', 'discarded'))
);
