-- purpose: R08 velocity: a new account that buys very much in a very short time.
-- traps:   a whale has an old account (account_age_max); without a creation instant in the users file the age is unknown; on
--          launch day everybody buys (purchases of a product within launch of its first sale do not count); testers do not
--          count.
-- parameters: window, account_age_max, launch (interval), purchases_min, listed_max (bigint)
-- grain:   one signal per user (merged accounts are one)
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, currency, amount_milliunits, score, happened_at, detail, inputs
)
with busy as (
    select person
    from rule_sale
    where person is not null and not is_tester and not is_renewal and price_milliunits > 0
    group by person
    having count(*) >= :'purchases_min'::bigint
),
-- The first sale of a product is searched among all users' purchases.
first_sale as materialized (
    select bought.bundle_id, bought.product_id, first_sale_at(bought.bundle_id, bought.product_id) as first_at
    from (
        select distinct rule_sale.bundle_id, rule_sale.product_id
        from busy
        inner join rule_sale on rule_sale.person = busy.person
    ) as bought
),
counted as (
    select
        rule_sale.*,
        count(*) over in_window as purchase_count,
        min(rule_sale.purchased_at) over in_window as from_at,
        sum(rule_sale.price_milliunits) over in_window as paid_milliunits,
        min(rule_sale.currency) over in_window as first_currency,
        max(rule_sale.currency) over in_window as last_currency
    from busy
    inner join rule_sale on rule_sale.person = busy.person
    inner join first_sale using (bundle_id, product_id)
    where not rule_sale.is_renewal
        and not rule_sale.is_tester
        and rule_sale.price_milliunits > 0
        and rule_sale.purchased_at >= first_sale.first_at + :'launch'::interval
    window in_window as (
        partition by rule_sale.person order by rule_sale.purchased_at
        range between :'window'::interval preceding and current row
    )
),
registered as materialized (
    select users.user_id, users.created_at
    from (
        select distinct rule_sale.user_id
        from busy
        inner join rule_sale on rule_sale.person = busy.person
    ) as buyer
    inner join users on users.user_id = buyer.user_id
),
account as (
    select
        busy.person,
        least(min(registered.created_at), min(rule_sale.ordered_at), min(rule_sale.purchased_at)) as since_at
    from busy
    inner join rule_sale on rule_sale.person = busy.person
    left join registered on registered.user_id = rule_sale.user_id
    group by busy.person
    having bool_and(registered.created_at is not null)
),
burst as (
    select distinct on (counted.person) counted.*, account.since_at
    from counted
    inner join account on account.person = counted.person
    where counted.purchase_count >= :'purchases_min'::bigint
        and counted.purchased_at <= account.since_at + :'account_age_max'::interval
    order by counted.person, counted.purchase_count desc, counted.purchased_at, counted.charge_id
)
select
    'R08',
    'user',
    burst.user_id,
    burst.bundle_id,
    case when burst.first_currency = burst.last_currency then burst.first_currency end,
    case when burst.first_currency = burst.last_currency then burst.paid_milliunits end,
    burst.purchase_count,
    burst.purchased_at,
    phrase('detail.burst', jsonb_build_object(
        'count', burst.purchase_count, 'from', rfc3339(burst.from_at), 'to', rfc3339(burst.purchased_at),
        'since', rfc3339(burst.since_at)
    )),
    json_build_object(
        'purchases', burst.purchase_count, 'from', rfc3339(burst.from_at), 'to', rfc3339(burst.purchased_at),
        'account_since', rfc3339(burst.since_at), 'storefront', burst.storefront,
        'charge_ids', (
            select json_agg(listed.charge_id order by listed.purchased_at, listed.charge_id)
            from (
                select counted.charge_id, counted.purchased_at
                from counted
                where counted.person = burst.person
                    and counted.purchased_at between burst.from_at and burst.purchased_at
                order by counted.purchased_at, counted.charge_id
                limit :'listed_max'::bigint
            ) as listed
        )
    )::text
from burst;
