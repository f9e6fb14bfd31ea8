-- purpose: R13 trial and offer abuse: successive trials by one user or device, or cancelling for win-back offers.
-- traps:   Apple decides eligibility for codes and promotional offers (offer types 2 and 3 do not count); each subscription
--          group has a separate trial; a household counts once per device; a device with many users is ignored.
-- parameters: as_of (timestamptz), window (interval), trials_max, win_backs_max, degree_max, listed_max (bigint)
-- grain:   one signal per user (merged accounts are one), or per device if several users took the trials
insert into signal_found (rule, subject_kind, subject_id, bundle_id, score, happened_at, detail, inputs)
with offer as (
    select
        rule_sale.*,
        coalesce(products.subscription_group, rule_sale.product_id) as subscription_group
    from rule_sale
    left join products using (bundle_id, product_id)
    where rule_sale.type = 'auto_renewable'
        and (rule_sale.offer_type = 1 and rule_sale.state = 'free' or rule_sale.offer_type = 4)
        and rule_sale.purchased_at >= :'as_of'::timestamptz - :'window'::interval
        and rule_sale.person is not null
        and not rule_sale.is_tester
),
-- All users that ordered on the device count for its degree, with a trial or without.
device_order as materialized (
    select orders.device_id, orders.user_id
    from (
        select offer.device_id
        from offer
        where offer.device_id is not null
        group by offer.device_id
        having count(distinct offer.household) > 1
    ) as shared
    inner join orders on orders.device_id = shared.device_id
),
device as (
    select device_order.device_id
    from device_order
    left join rule_person on rule_person.user_id = device_order.user_id
    group by device_order.device_id
    having count(distinct coalesce(rule_person.household, device_order.user_id)) <= :'degree_max'::bigint
),
judged as (
    select
        subject.kind as subject_kind,
        case subject.kind when 'user' then min(offer.user_id) else subject.id end as subject_id,
        offer.bundle_id,
        offer.subscription_group,
        count(distinct offer.original_transaction_id) filter (where offer.offer_type = 1) as trial_count,
        count(*) filter (where offer.offer_type = 4) as win_back_count,
        case subject.kind when 'user' then 1 else count(distinct offer.household) end as person_count,
        case subject.kind when 'user' then 1 else count(distinct offer.user_id) end as account_count,
        array_agg(distinct offer.original_transaction_id order by offer.original_transaction_id) as chains,
        max(offer.purchased_at) as last_at
    from offer
    cross join lateral (values ('user', offer.person), ('device', offer.device_id)) as subject (kind, id)
    where subject.id is not null
    group by subject.kind, subject.id, offer.bundle_id, offer.subscription_group
    having subject.kind = 'user'
        or count(distinct offer.household) > 1 and subject.id in (select device.device_id from device)
)
select distinct on (judged.subject_kind, judged.subject_id)
    'R13',
    judged.subject_kind,
    judged.subject_id,
    judged.bundle_id,
    judged.trial_count + judged.win_back_count,
    judged.last_at,
    phrase(
        case
            when judged.account_count > judged.person_count then 'detail.trials_by_users_once'
            when judged.person_count > 1 then 'detail.trials_by_users'
            else 'detail.trials'
        end,
        jsonb_build_object(
            'trials', judged.trial_count, 'offers', judged.win_back_count, 'group', judged.subscription_group,
            'users', judged.person_count
        )
    ),
    json_build_object(
        'subscription_group', judged.subscription_group, 'trials', judged.trial_count,
        'win_backs', judged.win_back_count, 'users', judged.person_count,
        'original_transaction_ids', to_json(judged.chains[1:(:'listed_max'::bigint)::integer]),
        'last_at', rfc3339(judged.last_at)
    )::text
from judged
where judged.trial_count > :'trials_max'::bigint
    or judged.win_back_count > :'win_backs_max'::bigint
order by
    judged.subject_kind, judged.subject_id, (judged.trial_count + judged.win_back_count) desc, judged.bundle_id,
    judged.subscription_group;
