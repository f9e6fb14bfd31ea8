-- purpose: Creates the functions that return each renewing subscription at a clock, from all of Apple's statements up to it.
--          For each field the newest signature that has it counts, whatever the order of arrival. Export, plan, poll and
--          settle use them.
-- note:    one template creates two functions: subscriptions_at reads whole tables as known at the clock, subscriptions_of
--          looks up some chains by their keys. The parts in braces differ.
do $subscriptions$
declare
    body text := $template$
    with known_batch as (select batches.batch_id from payrecon.batches where batches.known_at <= clock),
    period as (
        select
            charges.original_transaction_id, charges.bundle_id, charges.environment, charges.charge_id,
            charges.transaction_ids[1] as transaction_id, charges.product_id, charges.subscription_group,
            charges.ownership, charges.app_account_token, charges.storefront, charges.currency,
            charges.price_milliunits, charges.offer_type, charges.is_upgraded, charges.purchased_at,
            charges.expires_at, payrecon.access_ended_at(charges.revoked_at, charges.revocation_type) as revoked_at
        from {charges} as charges
        where charges.type = 'auto_renewable'
    ),
    -- The latest period that gives access; a refunded one only if there is no other. After an upgrade Apple may never mark
    -- the old period as upgraded, and that one may end later. The refund of the latest period of all ends the subscription; that of
    -- an older one does not.
    best as (
        select distinct on (dated_period.original_transaction_id, dated_period.bundle_id, dated_period.environment) dated_period.*
        from (
            select
                period.*,
                first_value(period.purchased_at) over newest_first as newest_purchased_at,
                first_value(period.revoked_at) over newest_first as newest_revoked_at
            from period
            window newest_first as (
                partition by period.original_transaction_id, period.bundle_id, period.environment
                order by period.is_upgraded, period.purchased_at desc, period.expires_at desc nulls last, period.charge_id desc
            )
        ) as dated_period
        order by
            dated_period.original_transaction_id, dated_period.bundle_id, dated_period.environment, dated_period.is_upgraded,
            (dated_period.revoked_at is null) desc, dated_period.purchased_at desc, dated_period.expires_at desc nulls last,
            dated_period.charge_id desc
    ),
    -- A statement about an earlier period says nothing about this one, even if it was signed after this purchase.
    dated as materialized (
        select
            infos.*,
            infos.signed_at >= best.newest_purchased_at and coalesce(infos.renewal_at > best.newest_purchased_at, true) as is_current,
            -- During a grace Apple tries to collect the payment, although some infos deny it.
            infos.is_in_billing_retry or coalesce(infos.signed_at < infos.grace_expires_at, false) as is_unpaid,
            -- The customer turned the renewal off, or the subscription ended for another reason than an unpaid renewal.
            infos.grace_expires_at is null and (infos.auto_renew_status = 0 or infos.expiration_intent <> 2) as is_stopped
        from payrecon.renewal_infos_at(clock, {chains}) as infos
        inner join best using (original_transaction_id, bundle_id, environment)
    ),
    -- A field that the newest info lacks is taken from the newest info that has it. The infos are sorted once for all fields.
    info as (
        select
            original_transaction_id, bundle_id, environment, max(signed_at) as signed_at,
            (array_agg(auto_renew_status) filter (where auto_renew_status is not null))[1] as auto_renew_status,
            (array_agg(auto_renew_product_id) filter (where auto_renew_product_id is not null))[1] as auto_renew_product_id,
            (array_agg(renewal_price_milliunits) filter (where renewal_price_milliunits is not null))[1] as renewal_price_milliunits,
            (array_agg(currency) filter (where renewal_price_milliunits is not null))[1] as currency,
            (array_agg(price_increase_status) filter (where price_increase_status is not null))[1] as price_increase_status,
            (array_agg(renewal_at) filter (where is_current and renewal_at is not null))[1] as renewal_at,
            (array_agg(grace_expires_at) filter (where is_current and grace_expires_at is not null))[1] as grace_expires_at,
            (array_agg(expiration_intent) filter (where is_current and expiration_intent is not null))[1] as expiration_intent,
            (array_agg(is_unpaid) filter (where is_current and is_unpaid is not null))[1] as is_unpaid,
            max(signed_at) filter (where is_current and grace_expires_at is not null) as graced_at,
            max(signed_at) filter (where is_current and is_stopped) as stopped_at,
            max(signed_at) filter (where is_current and not is_unpaid) as untried_at,
            max(signed_at) filter (where is_current and (is_unpaid or grace_expires_at is not null)) as unpaid_at
        from (
            select dated.*
            from dated
            order by original_transaction_id, bundle_id, environment, is_current desc, signed_at desc, evidence_sha256 desc
        ) as newest_first
        group by original_transaction_id, bundle_id, environment
    ),
    poll as (
        select distinct on (polls.original_transaction_id, polls.bundle_id, polls.environment)
            polls.environment, polls.bundle_id, polls.original_transaction_id, polls.apple_status, polls.requested_at
        from payrecon.polls
        where polls.requested_at <= clock
            {of polls}
        order by
            polls.original_transaction_id, polls.bundle_id, polls.environment, polls.requested_at desc,
            polls.slot_at desc
    ),
    -- Apple's statements of the status. A notification without one has that of its type.
    status_answer as (
        select
            original_transaction_id, bundle_id, environment, (array_agg(status))[1] as status, max(signed_at) as signed_at,
            max(signed_at) filter (where status = 4) as in_grace_at
        from (
            select answer.*
            from (
                select
                    notifications.environment, notifications.bundle_id, notifications.original_transaction_id,
                    coalesce(
                        notifications.status,
                        case
                            when notifications.subtype = 'GRACE_PERIOD' then 4
                            when notifications.type = 'GRACE_PERIOD_EXPIRED' then 3
                            when notifications.type = 'EXPIRED' then 2
                        end
                    ) as status,
                    notifications.signed_at, notifications.evidence_sha256 as tie
                from payrecon.notifications
                where notifications.original_transaction_id is not null
                    and notifications.batch_id in (select known_batch.batch_id from known_batch)
                    {of notifications}
                union all
                select
                    poll.environment, poll.bundle_id, poll.original_transaction_id, poll.apple_status, poll.requested_at, ''
                from poll
            ) as answer
            where answer.status is not null
            order by
                answer.original_transaction_id, answer.bundle_id, answer.environment, answer.signed_at desc, answer.tie desc
        ) as newest_first
        group by original_transaction_id, bundle_id, environment
    ),
    -- Turning off the renewal ends a grace before its date, unless Apple's status still says grace. A later info without the
    -- date does not end it. Apple signs a notification and the info in it at instants that differ by less than a minute.
    ungraced as (
        select dated.original_transaction_id, dated.bundle_id, dated.environment, min(dated.signed_at) as ended_at
        from dated
        inner join info using (original_transaction_id, bundle_id, environment)
        left join status_answer using (original_transaction_id, bundle_id, environment)
        where dated.signed_at > greatest(info.graced_at, status_answer.in_grace_at + interval '1 minute')
            and dated.is_current
            and dated.is_stopped
        group by dated.original_transaction_id, dated.bundle_id, dated.environment
    ),
    token_holder as (
        select
            user_tokens.app_account_token as token, min(user_tokens.user_id) as user_id,
            max(user_tokens.user_id) as last_user_id
        from payrecon.user_tokens
        where user_tokens.batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
        group by user_tokens.app_account_token
    ),
    -- The same rules as token_owners and chain_owners, which read the present or the past schema but take no clock.
    token_user as (
        select token_holder.token, token_holder.user_id
        from token_holder
        where token_holder.user_id = token_holder.last_user_id
        union all
        select orders.app_account_token, min(orders.user_id)
        from {orders} as orders
        where orders.app_account_token in (select period.app_account_token from period)
            and not exists (select 1 from token_holder where token_holder.token = orders.app_account_token)
        group by orders.app_account_token
        having min(orders.user_id) = max(orders.user_id)
    ),
    chain_user as (
        select
            period.environment, period.bundle_id, period.original_transaction_id,
            coalesce(
                (
                    array_agg(token_user.user_id order by period.purchased_at, period.charge_id)
                    filter (where token_user.user_id is not null)
                )[1],
                (
                    array_agg(orders.user_id order by matches.rung, period.purchased_at, period.charge_id)
                    filter (where orders.user_id is not null)
                )[1]
            ) as user_id
        from period
        left join token_user on token_user.token = period.app_account_token
        left join {matches} as matches on matches.charge_id = period.charge_id
        left join {orders} as orders on orders.order_id = matches.order_id
        group by period.environment, period.bundle_id, period.original_transaction_id
    ),
    stated as (
        select
            best.*,
            best.newest_revoked_at is not null and (best.revoked_at is not null or best.expires_at <= clock) as is_revoked,
            case
                when info.renewal_at > best.expires_at and info.is_unpaid is not true
                    and best.revoked_at is null and best.newest_revoked_at is null then info.renewal_at
                else best.expires_at
            end as ends_at,
            info.auto_renew_status, info.auto_renew_product_id, info.renewal_price_milliunits,
            info.currency as info_currency, info.price_increase_status as info_price_increase,
            -- A later status other than grace also ends the grace.
            least(
                info.grace_expires_at, ungraced.ended_at,
                case when status_answer.status in (2, 3, 5) and status_answer.signed_at > info.graced_at then status_answer.signed_at end
            ) as grace_at,
            info.expiration_intent as intent,
            coalesce(info.is_unpaid, false) and not coalesce(info.stopped_at > info.unpaid_at, false) as is_retrying,
            -- A renewal info signed separately overrides an older status that it contradicts; one without the field leaves
            -- the status.
            case
                when status_answer.signed_at >= best.newest_purchased_at
                    and not coalesce(
                        case
                            when status_answer.status = 3 then greatest(info.stopped_at, info.untried_at)
                            when status_answer.status = 4 then info.stopped_at
                            else info.unpaid_at
                        end > status_answer.signed_at + interval '1 minute',
                        false
                    )
                    then status_answer.status
            end as apple_status,
            greatest(info.signed_at, status_answer.signed_at) as heard_at,
            poll.requested_at
        from best
        left join info using (original_transaction_id, bundle_id, environment)
        left join ungraced using (original_transaction_id, bundle_id, environment)
        left join status_answer using (original_transaction_id, bundle_id, environment)
        left join poll using (original_transaction_id, bundle_id, environment)
    ),
    judged as (
        select
            stated.*,
            case
                when stated.is_revoked then 'revoked'
                when stated.ends_at > clock then 'active'
                when stated.grace_at > clock and stated.apple_status is distinct from 2 then 'grace'
                -- Apple stops charging after a time, whatever its last statement. A grace without an end lasts as long as
                -- that statement.
                when clock >= payrecon.retried_until(stated.ends_at) then 'expired'
                when stated.apple_status = 4 and stated.grace_at is null then 'grace'
                when stated.apple_status = 3 or (stated.is_retrying and stated.apple_status is distinct from 2) then 'billing_retry'
                else 'expired'
            end as state
        from stated
    )
    select
        judged.environment, judged.bundle_id, judged.original_transaction_id, judged.product_id,
        coalesce(judged.subscription_group, products.subscription_group),
        products.period, judged.charge_id, judged.transaction_id, judged.storefront, judged.currency,
        judged.price_milliunits, judged.offer_type, judged.ownership <> 'PURCHASED', judged.purchased_at,
        {user}, judged.state, judged.ends_at, judged.grace_at, judged.auto_renew_status = 1, judged.intent,
        judged.auto_renew_product_id, judged.renewal_price_milliunits, judged.info_currency,
        judged.info_price_increase, judged.is_retrying,
        -- Subscriptions known from verifyReceipt alone have no status, so they stay unsettled.
        coalesce(
            judged.is_revoked
            or (
                judged.state = 'expired' and judged.heard_at >= judged.ends_at
                and case
                    -- A charge may have succeeded on the last day, which is polled on day 61.
                    when judged.is_retrying and judged.apple_status is distinct from 2
                        then clock >= judged.ends_at + interval '62 days'
                    else
                        judged.intent is not null or judged.auto_renew_status = 0 or judged.apple_status in (2, 5)
                        or judged.is_retrying
                end
            ),
            false
        ),
        judged.heard_at, judged.requested_at, judged.revoked_at
    from judged
    left join {products} as products using (bundle_id, product_id)
    {join user}
$template$;
    columns text := $columns$
(
    environment text, bundle_id text, original_transaction_id text, product_id text, subscription_group text,
    period text, charge_id text, transaction_id text, storefront text, currency text, price_milliunits bigint,
    offer_type integer, is_family boolean, purchased_at timestamptz, user_id text, status text, expires_at timestamptz,
    grace_until timestamptz, is_renewing boolean, expiration_intent integer, renewal_product_id text,
    renewal_milliunits bigint, renewal_currency text, price_increase_status integer, is_in_billing_retry boolean,
    is_over boolean, heard_at timestamptz, last_polled_at timestamptz, revoked_at timestamptz
)
$columns$;
    choice record;
    of_all text := body;
    of_some text := body;
begin
    for choice in
        select *
        from (
            values
                ('{charges}', 'payrecon.charges_at(clock)', 'payrecon.charges_among(clock, chains)'),
                ('{matches}', 'payrecon.matches_at(clock)', 'payrecon.matches'),
                ('{orders}', 'payrecon.orders_at(clock)', 'payrecon.orders'),
                ('{products}', 'payrecon.products_at(clock)', 'payrecon.products'),
                ('{chains}', 'null', 'chains'),
                ('{of polls}', '', 'and polls.original_transaction_id = any(chains)'),
                ('{of notifications}', '', 'and notifications.original_transaction_id = any(chains)'),
                -- The owner of a subscription does not affect its polls.
                ('{user}', 'chain_user.user_id', 'null::text'),
                ('{join user}', 'left join chain_user using (original_transaction_id, bundle_id, environment)', '')
        ) as part (place, in_all, in_some)
    loop
        of_all := replace(of_all, choice.place, choice.in_all);
        of_some := replace(of_some, choice.place, choice.in_some);
    end loop;
    -- Forces hash joins, since the planner misjudges the intermediate steps.
    execute 'create or replace function payrecon.subscriptions_at(clock timestamptz) returns table ' || columns
        || $options$ language sql stable parallel safe rows 100000
        set enable_nestloop = off set enable_mergejoin = off set work_mem = '256MB' as $options$
        || quote_literal(of_all);
    execute 'create or replace function payrecon.subscriptions_of(clock timestamptz, chains text[]) returns table ' || columns
        || $options$ language sql stable parallel safe rows 1000
        set enable_nestloop = off set enable_mergejoin = off set work_mem = '64MB' as $options$
        || quote_literal(of_some);
end
$subscriptions$;
