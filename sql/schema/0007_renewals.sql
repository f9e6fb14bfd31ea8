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

-- Each renewing subscription at a clock, from everything Apple said by then: the newest signature counts, whenever and
-- however it came. Export, plan, poll and settle all read this.
create function payrecon.subscriptions_at(clock timestamptz) returns table (
    environment text, bundle_id text, original_transaction_id text, product_id text, subscription_group text,
    period text, charge_id text, transaction_id text, storefront text, currency text, price_milliunits bigint,
    offer_type integer, is_family boolean, purchased_at timestamptz, user_id text, status text, expires_at timestamptz,
    grace_until timestamptz, is_renewing boolean, expiration_intent integer, renewal_product_id text,
    renewal_milliunits bigint, renewal_currency text, price_increase_status integer, is_in_billing_retry boolean,
    is_over boolean, heard_at timestamptz, last_polled_at timestamptz
)
language sql stable parallel safe rows 100000
-- Whole tables are joined: hashing fits, whatever the planner guesses of the steps in between.
set enable_nestloop = off
set enable_mergejoin = off
set work_mem = '256MB'
as $$
    with known_batch as (
        select batches.batch_id from payrecon.batches where batches.known_at <= clock
    ),
    period as (
        select distinct on (transactions.original_transaction_id, transactions.charge_id) transactions.*
        from payrecon.transactions
        where transactions.batch_id in (select known_batch.batch_id from known_batch)
            and coalesce(transactions.type = 'auto_renewable', transactions.expires_at is not null)
        -- Of two statements signed in the same millisecond the one with the refund is the later one.
        order by
            transactions.original_transaction_id, transactions.charge_id, transactions.signed_at desc,
            (transactions.revoked_at is null), transactions.evidence_sha256 desc
    ),
    -- The period bought last that gives access; one that was refunded only where there is no other. After an upgrade
    -- nobody may ever say of the old period that it was upgraded, and it may have ended later.
    best as (
        select distinct on (period.original_transaction_id, period.bundle_id, period.environment) period.*
        from period
        order by
            period.original_transaction_id, period.bundle_id, period.environment, period.is_upgraded,
            (period.revoked_at is null) desc, period.purchased_at desc, period.expires_at desc nulls last,
            period.charge_id desc
    ),
    -- The period bought last: with its refund the subscription ends, with that of an older one it goes on.
    newest as (
        select distinct on (period.original_transaction_id, period.bundle_id, period.environment)
            period.environment, period.bundle_id, period.original_transaction_id, period.purchased_at,
            period.revoked_at
        from period
        order by
            period.original_transaction_id, period.bundle_id, period.environment, period.is_upgraded,
            period.purchased_at desc, period.expires_at desc nulls last, period.charge_id desc
    ),
    info as (
        select distinct on (renewal_infos.original_transaction_id, renewal_infos.environment) renewal_infos.*
        from payrecon.renewal_infos
        where renewal_infos.batch_id in (select known_batch.batch_id from known_batch)
        order by
            renewal_infos.original_transaction_id, renewal_infos.environment, renewal_infos.signed_at desc,
            renewal_infos.evidence_sha256 desc
    ),
    poll as (
        select distinct on (polls.original_transaction_id, polls.bundle_id, polls.environment)
            polls.environment, polls.bundle_id, polls.original_transaction_id, polls.apple_status, polls.asked_at
        from payrecon.polls
        where polls.asked_at <= clock
        order by
            polls.original_transaction_id, polls.bundle_id, polls.environment, polls.asked_at desc,
            polls.slot_at desc
    ),
    word as (
        select distinct on (told.original_transaction_id, told.bundle_id, told.environment) told.*
        from (
            select
                notifications.environment, notifications.bundle_id, notifications.original_transaction_id,
                notifications.status, notifications.signed_at, notifications.evidence_sha256 as tie
            from payrecon.notifications
            where notifications.status is not null
                and notifications.original_transaction_id is not null
                and notifications.batch_id in (select known_batch.batch_id from known_batch)
            union all
            select
                poll.environment, poll.bundle_id, poll.original_transaction_id, poll.apple_status, poll.asked_at, ''
            from poll
            where poll.apple_status is not null
        ) as told
        order by
            told.original_transaction_id, told.bundle_id, told.environment, told.signed_at desc, told.tie desc
    ),
    token_user as (
        select users.app_account_token as token, min(users.user_id) as user_id
        from payrecon.users
        where users.app_account_token is not null
        group by users.app_account_token
        having count(*) = 1
    ),
    chain_user as (
        select distinct on (period.original_transaction_id, period.bundle_id, period.environment)
            period.environment, period.bundle_id, period.original_transaction_id,
            coalesce(token_user.user_id, orders.user_id) as user_id
        from period
        left join token_user on token_user.token = period.app_account_token
        left join payrecon.claims on claims.charge_id = period.charge_id
        left join payrecon.orders on orders.order_id = claims.order_id
        where coalesce(token_user.user_id, orders.user_id) is not null
        order by
            period.original_transaction_id, period.bundle_id, period.environment, period.purchased_at,
            period.charge_id
    ),
    -- What Apple said about an earlier period says nothing about this one.
    told as (
        select
            best.*,
            newest.revoked_at is not null and (best.revoked_at is not null or best.expires_at <= clock) as is_revoked,
            case
                when info.renewal_at > best.expires_at and info.is_in_billing_retry is not true
                    and info.signed_at >= newest.purchased_at and best.revoked_at is null
                    and newest.revoked_at is null then info.renewal_at
                else best.expires_at
            end as ends_at,
            info.auto_renew_status, info.auto_renew_product_id, info.renewal_price_milliunits,
            info.currency as info_currency, info.price_increase_status as info_price_increase,
            case when info.signed_at >= newest.purchased_at then info.grace_expires_at end as grace_at,
            case when info.signed_at >= newest.purchased_at then info.expiration_intent end as intent,
            info.signed_at >= newest.purchased_at and coalesce(info.is_in_billing_retry, false) as is_retrying,
            -- A word as old as the renewal information is of the same event; an older one is overtaken.
            case
                when word.signed_at >= newest.purchased_at
                    and word.signed_at >= coalesce(info.signed_at, word.signed_at) - interval '1 minute'
                    then word.status
            end as apple_status,
            word.signed_at as word_at,
            greatest(info.signed_at, word.signed_at) as heard_at,
            poll.asked_at
        from best
        inner join newest
            on newest.original_transaction_id = best.original_transaction_id
            and newest.bundle_id = best.bundle_id
            and newest.environment = best.environment
        left join info
            on info.original_transaction_id = best.original_transaction_id
            and info.environment = best.environment
        left join word
            on word.original_transaction_id = best.original_transaction_id
            and word.bundle_id = best.bundle_id
            and word.environment = best.environment
        left join poll
            on poll.original_transaction_id = best.original_transaction_id
            and poll.bundle_id = best.bundle_id
            and poll.environment = best.environment
    ),
    judged as (
        select
            told.*,
            case
                when told.is_revoked then 'revoked'
                when told.ends_at > clock then 'active'
                when told.grace_at > clock then 'grace'
                -- A grace without a date has been seen; none lasts longer than 28 days.
                when told.apple_status = 4 and told.grace_at is null and told.word_at > clock - interval '28 days'
                    then 'grace'
                -- Apple tries for 60 days, whatever its last word was.
                when (told.apple_status = 3 or (told.is_retrying and told.apple_status is distinct from 2))
                    and clock < told.ends_at + interval '61 days' then 'billing_retry'
                else 'expired'
            end as state
        from told
    )
    select
        judged.environment, judged.bundle_id, judged.original_transaction_id, judged.product_id,
        coalesce(judged.subscription_group, products.subscription_group),
        products.period, judged.charge_id, judged.transaction_id,
        coalesce(charges.storefront, judged.storefront), coalesce(charges.currency, judged.currency),
        coalesce(charges.price_milliunits, judged.price_milliunits), judged.offer_type,
        coalesce(charges.ownership, judged.ownership, 'PURCHASED') <> 'PURCHASED', judged.purchased_at,
        chain_user.user_id, judged.state, judged.ends_at, judged.grace_at, judged.auto_renew_status = 1, judged.intent,
        judged.auto_renew_product_id, judged.renewal_price_milliunits, judged.info_currency,
        judged.info_price_increase, judged.is_retrying,
        judged.is_revoked
        or (
            judged.state = 'expired' and judged.heard_at >= judged.ends_at
            and (
                judged.intent is not null or judged.auto_renew_status = 0 or judged.apple_status in (2, 5)
                or judged.is_retrying
            )
        ),
        judged.heard_at, judged.asked_at
    from judged
    left join payrecon.charges
        on charges.original_transaction_id = judged.original_transaction_id
        and charges.charge_id = judged.charge_id
    left join payrecon.products
        on products.bundle_id = judged.bundle_id
        and products.product_id = judged.product_id
    left join chain_user
        on chain_user.original_transaction_id = judged.original_transaction_id
        and chain_user.bundle_id = judged.bundle_id
        and chain_user.environment = judged.environment
$$;

-- The newest outcome of every member of every plan at a clock.
create function payrecon.renewal_outcomes_at(clock timestamptz) returns setof payrecon.renewal_outcomes
language sql stable parallel safe
as $$
    select distinct on (
        renewal_outcomes.original_transaction_id, renewal_outcomes.bundle_id, renewal_outcomes.due_day
    )
        renewal_outcomes.*
    from payrecon.renewal_outcomes
    where renewal_outcomes.settled_at <= clock
    order by
        renewal_outcomes.original_transaction_id, renewal_outcomes.bundle_id, renewal_outcomes.due_day,
        renewal_outcomes.settled_at desc
$$;

do $$
begin
    if exists (select from pg_roles where rolname = 'payrecon_jobs') then
        grant select, insert on
            payrecon.polls, payrecon.renewal_plans, payrecon.renewal_plan_members, payrecon.renewal_forecasts
        to payrecon_jobs;
        -- A settlement that is repeated at the same clock corrects its own row, no other.
        grant select, insert, update on payrecon.renewal_outcomes to payrecon_jobs;
        grant select, insert, update, delete on payrecon.poll_queue to payrecon_jobs;
    end if;
    if exists (select from pg_roles where rolname = 'payrecon_reader') then
        grant select on
            payrecon.polls, payrecon.poll_queue, payrecon.renewal_plans, payrecon.renewal_plan_members,
            payrecon.renewal_forecasts, payrecon.renewal_outcomes
        to payrecon_reader;
    end if;
end
$$;
