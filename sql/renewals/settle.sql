-- purpose: the outcome of every plan member whose paid period has ended, and whether our books followed. Subscription
--          levels are unknown here, so prices classify changes. A change at the renewal is a downgrade if the new product
--          costs less per day. An earlier change is an upgrade, unless the period is the same and the price is not higher.
--          All other changes are crossgrades.
-- parameters: as_of (timestamptz), run_id (text), skew (interval)
-- grain:   one row per member with a new or changed outcome
insert into renewal_outcomes as known (
    original_transaction_id, bundle_id, due_day, outcome, charge_id, transaction_id, order_id, actual_milliunits, has_charge,
    has_order_without_renewal, has_entitlement_overrun, run_id, settled_at
)
-- Apple's statements about the planned period before another period followed it.
with statement as materialized (
    select
        member.original_transaction_id, member.bundle_id, member.due_day, max(info.grace_expires_at) as grace_until,
        -- An extension that came too late for a plan of its day. Dates during grace and billing retry are none.
        max(info.renewal_at) filter (where info.is_in_billing_retry is not true and info.grace_expires_at is null) as extended_to,
        (
            array_agg(info.expiration_intent order by info.signed_at desc, info.evidence_sha256 desc)
            filter (where info.expiration_intent is not null)
        )[1] as intent
    from ended_member as member
    inner join renewal_infos_at(
        :'as_of'::timestamptz, array(select distinct ended.original_transaction_id from ended_member as ended)
    ) as info using (original_transaction_id, bundle_id)
    where info.environment = 'Production'
        and info.signed_at >= member.purchased_at
        and (member.next_purchased_at is null or info.signed_at < member.next_purchased_at)
    group by member.original_transaction_id, member.bundle_id, member.due_day
),
subscription as materialized (
    select *
    from subscriptions_of(
        :'as_of'::timestamptz, array(select distinct ended.original_transaction_id from ended_member as ended)
    )
    where environment = 'Production'
),
prior as materialized (select * from renewal_outcomes_at(:'as_of'::timestamptz)),
classed as materialized (
    select
        member.*,
        case
            when member.revoked_at < member.expires_at and not member.is_renewed then 'revoked_before_due'
            when member.is_upgraded and coalesce(member.period = member.next_period, true)
                and member.next_milliunits <= member.price_milliunits
                then 'crossgraded'
            when member.is_upgraded then 'upgraded'
            when member.is_renewed then
                case
                    when member.next_product_id <> member.product_id and renewal.costs_less_per_day then 'downgraded'
                    when member.next_product_id <> member.product_id then 'crossgraded'
                    when member.next_purchased_at <= greatest(member.expires_at, statement.extended_to) + interval '1 hour'
                        then 'renewed_on_time'
                    when member.next_purchased_at <= statement.grace_until then 'renewed_in_grace'
                    when statement.grace_until is null and renewal.keeps_anniversary then 'renewed_in_grace'
                    else 'recovered_retry'
                end
            when prior.outcome = 'extended' then 'extended'
            when member.next_charge_id is null and subscription.status = 'active'
                and subscription.charge_id = member.charge_id and subscription.expires_at > member.expires_at
                then 'extended'
            when member.next_charge_id is null and subscription.status = 'grace' then 'still_grace'
            -- An attempt on the last day may have succeeded, so the outcome is open until day 61 is polled.
            when member.next_charge_id is null
                and (
                    subscription.status = 'billing_retry'
                    or (subscription.status = 'expired' and subscription.is_in_billing_retry and not subscription.is_over)
                )
                then 'still_retry'
            when member.next_charge_id is not null or subscription.is_over
                or :'as_of'::timestamptz > member.expires_at + interval '62 days'
                then
                case statement.intent
                    when 1 then 'expired_voluntary'
                    when 2 then 'expired_billing'
                    when 3 then 'expired_price'
                    when 4 then 'expired_unavailable'
                    else 'expired_unknown'
                end
            when poll_queue.last_fault is not null then 'poll_error'
            else 'unpolled'
        end as outcome,
        case when member.is_renewed then member.next_charge_id end as renewal_id,
        greatest(member.expires_at, statement.grace_until, subscription.expires_at) as access_until,
        -- Apple states a grace without its end.
        coalesce(subscription.status = 'grace' and subscription.grace_until is null, false) as has_open_grace
    from ended_member as member
    left join statement using (original_transaction_id, bundle_id, due_day)
    left join prior using (original_transaction_id, bundle_id, due_day)
    left join subscription using (original_transaction_id, bundle_id)
    left join poll_queue
        on poll_queue.original_transaction_id = member.original_transaction_id
        and poll_queue.bundle_id = member.bundle_id
        and poll_queue.environment = 'Production'
    cross join lateral (
        select
            member.next_milliunits * coalesce(extract(epoch from member.period), 1)
                < member.price_milliunits * coalesce(extract(epoch from member.next_period), 1) as costs_less_per_day,
            -- A recovery within the grace keeps the anniversary; a later one starts a new one.
            abs(extract(
                epoch from member.next_expires_at - ((member.expires_at at time zone 'UTC' + member.next_period) at time zone 'UTC')
            ))
            < abs(extract(
                epoch from member.next_expires_at
                - ((member.next_purchased_at at time zone 'UTC' + member.next_period) at time zone 'UTC')
            )) as keeps_anniversary
    ) as renewal
),
-- The newest order without a charge of each chain that did not renew.
unmatched_order as materialized (
    select orders.original_transaction_id, orders.bundle_id, max(orders.created_at) as newest_at
    from (
        select distinct member.original_transaction_id, member.bundle_id from ended_member as member where not member.is_renewed
    ) as named
    inner join orders using (original_transaction_id, bundle_id)
    where orders.environment = 'Production'
        and orders.status in ('paid', 'delivered')
        and orders.created_at <= :'as_of'::timestamptz
        and not exists (select 1 from matched_orders where matched_orders.order_id = orders.order_id)
    group by orders.original_transaction_id, orders.bundle_id
),
-- The orders of the renewals and of the periods that did not renew.
matched_order as materialized (
    select matched_orders.charge_id, matched_orders.order_id, orders.status, orders.delivered_at, orders.entitlement_expires_at
    from (select distinct coalesce(classed.renewal_id, classed.charge_id) as charge_id from classed) as named
    inner join matched_orders on matched_orders.charge_id = named.charge_id
    left join orders on orders.order_id = matched_orders.order_id
),
settled as (
    select
        classed.original_transaction_id, classed.bundle_id, classed.due_day, classed.outcome, classed.renewal_id as charge_id,
        case when classed.is_renewed then classed.next_transaction_id end as transaction_id,
        case when classed.is_renewed then matched_order.order_id end as order_id,
        case when classed.is_renewed and classed.next_currency = classed.currency then coalesce(classed.next_milliunits, 0) end
            as actual_milliunits,
        classed.is_renewed as has_charge,
        coalesce(
            not classed.is_renewed and unmatched_order.newest_at >= classed.expires_at - interval '26 hours', false
        ) as has_order_without_renewal,
        coalesce(
            not classed.is_renewed and not classed.has_open_grace
            and is_current_sale(matched_order.status, matched_order.delivered_at)
            and matched_order.entitlement_expires_at > classed.access_until + :'skew'::interval, false
        ) as has_entitlement_overrun
    from classed
    left join unmatched_order using (original_transaction_id, bundle_id)
    left join matched_order on matched_order.charge_id = coalesce(classed.renewal_id, classed.charge_id)
)
select settled.*, :'run_id'::text, :'as_of'::timestamptz
from settled
left join prior using (original_transaction_id, bundle_id, due_day)
where prior.outcome is null
    or (
        prior.outcome, prior.charge_id, prior.order_id, prior.actual_milliunits, prior.has_order_without_renewal,
        prior.has_entitlement_overrun
    ) is distinct from (
        settled.outcome, settled.charge_id, settled.order_id, settled.actual_milliunits,
        settled.has_order_without_renewal, settled.has_entitlement_overrun
    )
on conflict (original_transaction_id, bundle_id, due_day, settled_at) do update
set
    outcome = excluded.outcome,
    charge_id = excluded.charge_id,
    transaction_id = excluded.transaction_id,
    order_id = excluded.order_id,
    run_id = excluded.run_id,
    actual_milliunits = excluded.actual_milliunits,
    has_charge = excluded.has_charge,
    has_order_without_renewal = excluded.has_order_without_renewal,
    has_entitlement_overrun = excluded.has_entitlement_overrun;
