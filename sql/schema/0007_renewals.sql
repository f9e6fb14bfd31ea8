-- purpose: renewals: the state of each subscription at a clock, the frozen plan of each business day, the polls that
--          replace notifications which never came, and what became of every member of a plan.

-- One row per question that Apple answered; append-only. The key is what keeps a subscription from being asked twice for
-- one appointment, whoever asks.
create table payrecon.polls (
    original_transaction_id text collate "C" not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    slot text collate "C" not null,
    answer text collate "C" not null,
    worker text collate "C" not null,
    run_id text collate "C" not null,
    -- Apple's status, 1 to 5; null when the answer had none for this subscription.
    apple_status integer,
    slot_at timestamptz not null,
    asked_at timestamptz not null,
    constraint polls_pkey primary key (original_transaction_id, bundle_id, environment, slot_at),
    constraint polls_answer check (answer in ('found', 'not_found', 'refused', 'receipt'))
);

-- The next appointment of each subscription that has one, who is keeping it, and until when that is believed.
create table payrecon.poll_queue (
    original_transaction_id text collate "C" not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    slot text collate "C" not null,
    worker text collate "C",
    last_fault text collate "C",
    -- Money that depends on the answer, in thousandths of its own currency: only an order of urgency.
    exposure_milliunits bigint not null,
    fault_count integer not null default 0,
    opens_at timestamptz not null,
    due_at timestamptz not null,
    -- By the clock that the worker gives; a worker that does not come back by then is taken for dead.
    lease_until timestamptz,
    constraint poll_queue_pkey primary key (original_transaction_id, bundle_id, environment)
);
create index poll_queue_due_at_idx on payrecon.poll_queue (bundle_id, due_at);

-- One row per app and business day whose cohort was frozen; append-only.
create table payrecon.renewal_plans (
    bundle_id text collate "C" not null,
    due_day date not null,
    time_zone text collate "C" not null,
    plan_run_id text collate "C" not null,
    member_count bigint not null,
    day_from timestamptz not null,
    day_to timestamptz not null,
    frozen_at timestamptz not null,
    constraint renewal_plans_pkey primary key (bundle_id, due_day)
);

-- The subscriptions that fall due on a planned day, as they were known when it was frozen; append-only.
create table payrecon.renewal_plan_members (
    original_transaction_id text collate "C" not null,
    bundle_id text collate "C" not null,
    due_day date not null,
    charge_id text collate "C" not null,
    product_id text collate "C" not null,
    renewal_product_id text collate "C" not null,
    subscription_group text collate "C",
    storefront text collate "C" not null,
    currency text collate "C" not null,
    user_id text collate "C",
    status text collate "C" not null,
    due_milliunits bigint not null,
    is_renewing boolean not null,
    is_price_increase_pending boolean not null,
    is_in_retry boolean not null,
    is_in_grace boolean not null,
    is_offer_to_full_price boolean not null,
    purchased_at timestamptz not null,
    expires_at timestamptz not null,
    constraint renewal_plan_members_pkey primary key (original_transaction_id, bundle_id, due_day)
);
create index renewal_plan_members_due_day_idx on payrecon.renewal_plan_members (bundle_id, due_day);

-- What a plan expects of each of its cells, and on how much history; append-only.
create table payrecon.renewal_forecasts (
    bundle_id text collate "C" not null,
    due_day date not null,
    product_id text collate "C" not null,
    storefront text collate "C" not null,
    currency text collate "C" not null,
    -- Where the rate comes from: product and storefront, product, app, or none.
    basis text collate "C" not null,
    history_count bigint not null,
    history_renewed_count bigint not null,
    rate_bp bigint not null,
    forecast_count bigint not null,
    forecast_milliunits bigint not null,
    low_count bigint not null,
    high_count bigint not null,
    low_milliunits bigint not null,
    high_milliunits bigint not null,
    constraint renewal_forecasts_pkey primary key (bundle_id, due_day, product_id, storefront, currency)
);

-- What became of a member of a plan, each time that changed; the newest row by settled_at is the state.
create table payrecon.renewal_outcomes (
    original_transaction_id text collate "C" not null,
    bundle_id text collate "C" not null,
    due_day date not null,
    outcome text collate "C" not null,
    charge_id text collate "C",
    transaction_id text collate "C",
    order_id text collate "C",
    run_id text collate "C" not null,
    -- What Apple charged in the currency of the plan; null when nothing or in another currency.
    actual_milliunits bigint,
    has_charge boolean not null,
    has_order_without_renewal boolean not null,
    has_entitlement_overrun boolean not null,
    settled_at timestamptz not null,
    constraint renewal_outcomes_pkey primary key (original_transaction_id, bundle_id, due_day, settled_at),
    constraint renewal_outcomes_outcome check (
        outcome in (
            'renewed_on_time', 'renewed_in_grace', 'recovered_retry', 'expired_voluntary', 'expired_billing',
            'expired_price', 'expired_unavailable', 'expired_unknown', 'upgraded', 'downgraded', 'crossgraded',
            'revoked_before_due', 'extended', 'still_retry', 'still_grace', 'unpolled', 'poll_error'
        )
    )
);
create index renewal_outcomes_due_day_idx on payrecon.renewal_outcomes (bundle_id, due_day);
