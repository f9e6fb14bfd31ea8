-- purpose: subscriptions for other programs: the columns of the export, as values. At a clock, and now.
-- note:    only the export has next_poll_at, which the schedule computes from the other columns.
create or replace function payrecon.v_subscriptions_at(clock timestamptz) returns table (
    bundle_id text, environment text, original_transaction_id text, product_id text, user_id text, status text,
    expires_at timestamptz, grace_until timestamptz, auto_renew boolean, expiration_intent integer,
    last_polled_at timestamptz, renewal_product_id text, renewal_milliunits bigint, renewal_currency text,
    price_increase text, offer_type integer, ownership text, subscription_group text, storefront text,
    purchased_at timestamptz, heard_at timestamptz
)
language sql stable parallel safe
as $$
    select
        state.bundle_id, state.environment, state.original_transaction_id, state.product_id, state.user_id,
        state.status, state.expires_at, state.grace_until, state.is_renewing, state.expiration_intent,
        state.last_polled_at, state.renewal_product_id, state.renewal_milliunits, state.renewal_currency,
        case state.price_increase_status when 0 then 'pending' when 1 then 'accepted' end, state.offer_type,
        case when state.is_family then 'FAMILY_SHARED' else 'PURCHASED' end, state.subscription_group,
        state.storefront, state.purchased_at, state.heard_at
    from payrecon.subscriptions_at(clock) as state
$$;

create or replace view payrecon.v_subscriptions with (security_invoker = true) as
select * from payrecon.v_subscriptions_at((select payrecon.contract_clock()));
