-- purpose: plan members whose paid period has ended, each with its planned charge and the charge that followed it. A
--          renewal belongs to the latest member of its chain that fits; Apple charges up to a day early.
-- parameters: as_of (timestamptz)
-- grain:   one row per member
create temp table ended_member on commit drop as
with member as materialized (
    select renewal_plan_members.*
    from renewal_plan_members
    inner join renewal_plans using (bundle_id, due_day)
    where renewal_plans.frozen_at <= :'as_of'::timestamptz
        and renewal_plan_members.expires_at <= :'as_of'::timestamptz
        and renewal_plans.day_to > :'as_of'::timestamptz - interval '75 days'
),
known_charge as materialized (
    select charges.*
    from (select distinct member.original_transaction_id, member.bundle_id from member) as named
    inner join charges using (original_transaction_id, bundle_id)
    inner join batches on batches.batch_id = charges.batch_id
    where batches.known_at <= :'as_of'::timestamptz
        and charges.environment = 'Production'
),
-- The charge that followed the planned period, of any kind.
follower as materialized (
    select distinct on (member.original_transaction_id, member.bundle_id, member.due_day)
        known_charge.*, member.due_day, member.expires_at as due_at
    from member
    inner join known_charge using (original_transaction_id, bundle_id)
    where known_charge.charge_id <> member.charge_id
        and known_charge.purchased_at > member.purchased_at
    order by
        member.original_transaction_id, member.bundle_id, member.due_day, known_charge.purchased_at, known_charge.charge_id
),
planned_again as materialized (
    select members.original_transaction_id, members.bundle_id, members.expires_at
    from (select distinct follower.original_transaction_id, follower.bundle_id from follower where follower.is_renewal) as named
    inner join renewal_plan_members as members using (original_transaction_id, bundle_id)
),
-- After an extension, a later plan contains the same period; the renewal then belongs to the later member.
renewal as materialized (
    select follower.original_transaction_id, follower.bundle_id, follower.due_day
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
)
select
    member.original_transaction_id, member.bundle_id, member.due_day, member.charge_id, member.product_id, member.currency,
    member.purchased_at, member.expires_at, access_ended_at(planned.revoked_at, planned.revocation_type) as revoked_at,
    -- Apple does not report the old period of an upgrade again. A manual purchase before its end replaced it.
    planned.is_upgraded or (not follower.is_renewal and follower.purchased_at < member.expires_at) as is_upgraded,
    -- The known price of the planned product without an offer.
    coalesce(
        case when planned.offer_type is null then planned.price_milliunits end,
        case when member.renewal_product_id = member.product_id then member.due_milliunits end
    ) as price_milliunits,
    renewal.due_day is not null as is_renewed, follower.charge_id as next_charge_id,
    follower.transaction_ids[1] as next_transaction_id, follower.product_id as next_product_id,
    follower.price_milliunits as next_milliunits, follower.currency as next_currency,
    follower.purchased_at as next_purchased_at, follower.expires_at as next_expires_at,
    product.period::interval as period, coalesce(next_product.period, product.period)::interval as next_period
from member
left join products as product using (bundle_id, product_id)
left join known_charge as planned using (original_transaction_id, bundle_id, charge_id)
left join follower using (original_transaction_id, bundle_id, due_day)
left join renewal using (original_transaction_id, bundle_id, due_day)
left join products as next_product
    on next_product.bundle_id = member.bundle_id
    and next_product.product_id = follower.product_id;
