-- purpose: the outcome of every plan member whose paid period has ended, and whether our books followed. A renewal belongs
--          to the latest member of its chain that fits; Apple charges up to a day early. Subscription levels are unknown
--          here. A change at the renewal is a downgrade if the new product costs less per day. An earlier change is an
--          upgrade unless the period is the same and the price is not higher. All other changes are crossgrades.
-- parameters: as_of (timestamptz), run_id (text), skew (interval)
-- grain:   one row per member with a new or changed outcome
insert into renewal_outcomes as known (
    original_transaction_id, bundle_id, due_day, outcome, charge_id, transaction_id, order_id, run_id, actual_milliunits,
    has_charge, has_order_without_renewal, has_entitlement_overrun, settled_at
)
with member as materialized (
    select renewal_plan_members.*
    from renewal_plan_members
    inner join renewal_plans
        on renewal_plans.bundle_id = renewal_plan_members.bundle_id
        and renewal_plans.due_day = renewal_plan_members.due_day
    where renewal_plans.frozen_at <= :'as_of'::timestamptz
        and renewal_plan_members.expires_at <= :'as_of'::timestamptz
        and renewal_plans.day_to > :'as_of'::timestamptz - interval '75 days'
),
known_charge as materialized (
    select charges.*
    from (select distinct member.original_transaction_id, member.bundle_id from member) as named
    inner join charges
        on charges.original_transaction_id = named.original_transaction_id
        and charges.bundle_id = named.bundle_id
    inner join batches on batches.batch_id = charges.batch_id
    where batches.known_at <= :'as_of'::timestamptz
        and charges.environment = 'Production'
),
-- The charge that followed the planned period, of any kind.
follower as materialized (
    select distinct on (member.original_transaction_id, member.bundle_id, member.due_day)
        member.original_transaction_id, member.bundle_id, member.due_day, member.expires_at as due_at,
        known_charge.charge_id, known_charge.transaction_ids[1] as transaction_id, known_charge.product_id,
        known_charge.purchased_at, known_charge.expires_at, known_charge.price_milliunits, known_charge.currency,
        known_charge.is_renewal
    from member
    inner join known_charge
        on known_charge.original_transaction_id = member.original_transaction_id
        and known_charge.bundle_id = member.bundle_id
        and known_charge.charge_id <> member.charge_id
        and known_charge.purchased_at > member.purchased_at
    order by
        member.original_transaction_id, member.bundle_id, member.due_day, known_charge.purchased_at, known_charge.charge_id
),
planned_again as materialized (
    select members.original_transaction_id, members.bundle_id, members.expires_at
    from (select distinct follower.original_transaction_id, follower.bundle_id from follower where follower.is_renewal) as named
    inner join renewal_plan_members as members
        on members.original_transaction_id = named.original_transaction_id
        and members.bundle_id = named.bundle_id
),
-- After an extension, a later plan contains the same period; the renewal then belongs to the later member.
owned as materialized (
    select follower.*
    from follower
    where follower.is_renewal
        and follower.purchased_at >= follower.due_at - interval '26 hours'
        and not exists (
            select 1
            from planned_again as later
            where later.original_transaction_id = follower.original_transaction_id
                and later.bundle_id = follower.bundle_id
                and later.expires_at > follower.due_at
                and later.expires_at - interval '26 hours' <= follower.purchased_at
        )
),
info as materialized (
    select *
    from renewal_infos_at(:'as_of'::timestamptz, array(select distinct settling.original_transaction_id from member as settling))
),
word as materialized (
    select
        member.original_transaction_id, member.bundle_id, member.due_day, info.grace_expires_at, info.expiration_intent,
        info.signed_at, info.evidence_sha256
    from member
    inner join info
        on info.original_transaction_id = member.original_transaction_id
        and info.bundle_id = member.bundle_id
        and info.environment = 'Production'
        and info.signed_at >= member.purchased_at
),
-- Apple's statements about the planned period before another period followed it.
statement as materialized (
    select
        word.original_transaction_id, word.bundle_id, word.due_day, max(word.grace_expires_at) as grace_until,
        (
            array_agg(word.expiration_intent order by word.signed_at desc, word.evidence_sha256 desc)
            filter (where word.expiration_intent is not null)
        )[1] as intent
    from word
    left join follower
        on follower.original_transaction_id = word.original_transaction_id
        and follower.bundle_id = word.bundle_id
        and follower.due_day = word.due_day
    where follower.purchased_at is null
        or word.signed_at < follower.purchased_at
    group by word.original_transaction_id, word.bundle_id, word.due_day
),
subscription as materialized (
    select *
    from subscriptions_of(
        :'as_of'::timestamptz, array(select distinct settling.original_transaction_id from member as settling)
    )
),
prior as materialized (select * from renewal_outcomes_at(:'as_of'::timestamptz)),
facts as (
    select
        member.*, follower.charge_id as follower_id, follower.product_id as follower_product_id,
        follower.price_milliunits as follower_milliunits,
        -- Apple does not report the old period of an upgrade again. A manual purchase before its end replaced it.
        planned.is_upgraded or (not follower.is_renewal and follower.purchased_at < member.expires_at) as is_upgraded,
        owned.charge_id as renewal_id, owned.transaction_id as renewal_transaction_id,
        owned.product_id as renewed_product_id, owned.purchased_at as renewed_at, owned.expires_at as renewed_to,
        owned.price_milliunits as renewed_milliunits, owned.currency as renewed_currency,
        access_ended_at(planned.revoked_at, planned.revocation_type) as revoked_at,
        -- The known price of the planned product without an offer.
        coalesce(
            case when planned.offer_type is null then planned.price_milliunits end,
            case when member.renewal_product_id = member.product_id then member.due_milliunits end
        ) as current_milliunits, statement.grace_until, statement.intent, subscription.status as state,
        subscription.expires_at as state_expires_at, subscription.charge_id as state_charge_id, subscription.heard_at,
        subscription.is_over, subscription.is_in_billing_retry as state_is_retrying,
        subscription.grace_until as state_grace_until, poll_queue.last_fault, prior.outcome as prior_outcome,
        old_product.period::interval as old_period, coalesce(new_product.period, old_product.period)::interval as new_period
    from member
    left join follower
        on follower.original_transaction_id = member.original_transaction_id
        and follower.bundle_id = member.bundle_id
        and follower.due_day = member.due_day
    left join owned
        on owned.original_transaction_id = member.original_transaction_id
        and owned.bundle_id = member.bundle_id
        and owned.due_day = member.due_day
    left join known_charge as planned
        on planned.original_transaction_id = member.original_transaction_id
        and planned.bundle_id = member.bundle_id
        and planned.charge_id = member.charge_id
    left join statement
        on statement.original_transaction_id = member.original_transaction_id
        and statement.bundle_id = member.bundle_id
        and statement.due_day = member.due_day
    left join subscription
        on subscription.original_transaction_id = member.original_transaction_id
        and subscription.bundle_id = member.bundle_id
        and subscription.environment = 'Production'
    left join poll_queue
        on poll_queue.original_transaction_id = member.original_transaction_id
        and poll_queue.bundle_id = member.bundle_id
        and poll_queue.environment = 'Production'
    left join prior
        on prior.original_transaction_id = member.original_transaction_id
        and prior.bundle_id = member.bundle_id
        and prior.due_day = member.due_day
    left join products as old_product
        on old_product.bundle_id = member.bundle_id
        and old_product.product_id = member.product_id
    left join products as new_product
        on new_product.bundle_id = member.bundle_id
        and new_product.product_id = follower.product_id
),
classed as materialized (
    select
        facts.*,
        case
            when revoked_at < expires_at and renewal_id is null then 'revoked_before_due'
            when is_upgraded and coalesce(old_period = new_period, true) and follower_milliunits <= current_milliunits
                then 'crossgraded'
            when is_upgraded then 'upgraded'
            when renewed_product_id <> product_id
                and renewed_milliunits * coalesce(extract(epoch from old_period), 1)
                < current_milliunits * coalesce(extract(epoch from new_period), 1)
                then 'downgraded'
            when renewed_product_id <> product_id then 'crossgraded'
            when renewed_at <= expires_at + interval '1 hour' then 'renewed_on_time'
            when renewed_at <= grace_until then 'renewed_in_grace'
            -- A recovery within the grace keeps the anniversary; a later one starts a new one.
            when grace_until is null and new_period is not null
                and abs(extract(epoch from renewed_to - ((expires_at at time zone 'UTC' + new_period) at time zone 'UTC')))
                < abs(extract(epoch from renewed_to - ((renewed_at at time zone 'UTC' + new_period) at time zone 'UTC')))
                then 'renewed_in_grace'
            when renewal_id is not null then 'recovered_retry'
            when prior_outcome = 'extended' then 'extended'
            when follower_id is null and state = 'active' and state_charge_id = charge_id
                and state_expires_at > expires_at then 'extended'
            when follower_id is null and state = 'grace' then 'still_grace'
            -- An attempt on the last day may have succeeded, so the outcome is open until day 61 is polled.
            when follower_id is null and (state = 'billing_retry' or (state = 'expired' and state_is_retrying and not is_over))
                then 'still_retry'
            when follower_id is not null or is_over or :'as_of'::timestamptz > expires_at + interval '62 days' then
                case intent
                    when 1 then 'expired_voluntary'
                    when 2 then 'expired_billing'
                    when 3 then 'expired_price'
                    when 4 then 'expired_unavailable'
                    else 'expired_unknown'
                end
            when last_fault is not null then 'poll_error'
            else 'unpolled'
        end as outcome
    from facts
),
-- Orders of the chains that did not renew, and the access granted for the planned and the renewed periods.
ordered as materialized (
    select orders.order_id, orders.original_transaction_id, orders.bundle_id, orders.created_at
    from (
        select distinct classed.original_transaction_id, classed.bundle_id from classed where classed.renewal_id is null
    ) as named
    inner join orders
        on orders.original_transaction_id = named.original_transaction_id
        and orders.bundle_id = named.bundle_id
    where orders.environment = 'Production'
        and orders.status in ('paid', 'delivered')
        and orders.created_at <= :'as_of'::timestamptz
),
taken as materialized (
    select matched_orders.order_id
    from ordered
    inner join matched_orders on matched_orders.order_id = ordered.order_id
),
granted as materialized (
    select matched_orders.order_id, matched_orders.charge_id
    from (
        select classed.charge_id from classed where classed.renewal_id is null
        union
        select classed.renewal_id from classed where classed.renewal_id is not null
    ) as named
    inner join matched_orders on matched_orders.charge_id = named.charge_id
),
holder as materialized (
    select granted.charge_id, orders.entitlement_expires_at
    from granted
    inner join orders on orders.order_id = granted.order_id
    where orders.status in ('paid', 'delivered')
),
booked as (
    select
        classed.*, renewed.order_id,
        renewal_id is null and exists (
            select 1
            from ordered
            where ordered.original_transaction_id = classed.original_transaction_id
                and ordered.bundle_id = classed.bundle_id
                and ordered.created_at >= classed.expires_at - interval '26 hours'
                and ordered.order_id not in (select taken.order_id from taken)
        ) as has_order_without_renewal,
        renewal_id is null and exists (
            select 1
            from holder
            where holder.charge_id = classed.charge_id
                and holder.entitlement_expires_at
                > greatest(classed.expires_at, classed.grace_until, classed.state_expires_at) + :'skew'::interval
        )
        -- Apple states a grace without its end.
        and not coalesce(classed.state = 'grace' and classed.state_grace_until is null, false) as has_entitlement_overrun
    from classed
    left join granted as renewed on renewed.charge_id = classed.renewal_id
),
settled as (
    select
        booked.original_transaction_id, booked.bundle_id, booked.due_day, booked.outcome, booked.renewal_id as charge_id,
        booked.renewal_transaction_id as transaction_id, booked.order_id,
        case when booked.renewed_currency = booked.currency then coalesce(booked.renewed_milliunits, 0) end
            as actual_milliunits,
        booked.renewal_id is not null as has_charge, booked.has_order_without_renewal, booked.has_entitlement_overrun
    from booked
)
select
    settled.original_transaction_id, settled.bundle_id, settled.due_day, settled.outcome, settled.charge_id,
    settled.transaction_id, settled.order_id, :'run_id'::text, settled.actual_milliunits, settled.has_charge,
    settled.has_order_without_renewal, settled.has_entitlement_overrun, :'as_of'::timestamptz
from settled
left join prior
    on prior.original_transaction_id = settled.original_transaction_id
    and prior.bundle_id = settled.bundle_id
    and prior.due_day = settled.due_day
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
