-- purpose: freezes the members due on a business day, with the amount that Apple would charge. Family shares cost nothing
--          and are left out.
-- parameters: bundle_id, time_zone, day (text), as_of (timestamptz)
-- grain:   one row per Production subscription whose paid period ends on the day
insert into renewal_plan_members (
    original_transaction_id, bundle_id, due_day, charge_id, product_id, renewal_product_id, subscription_group,
    storefront, currency, user_id, status, due_milliunits, is_renewing, is_price_increase_pending, is_in_retry,
    is_in_grace, is_offer_to_full_price, purchased_at, expires_at
)
with priced as (
    select
        due.*, coalesce(due.renewal_product_id, due.product_id) as next_product_id,
        -- Apple's announced price, else the catalogue, else the last period's price.
        coalesce(
            case when due.renewal_currency = coalesce(due.currency, due.renewal_currency) then due.renewal_milliunits end,
            listed.price_milliunits, due.price_milliunits, 0
        ) as due_milliunits
    from subscriptions_at(:'as_of'::timestamptz) as due
    left join lateral (
        select catalogue_prices.price_milliunits
        from catalogue_prices
        where catalogue_prices.bundle_id = due.bundle_id
            and catalogue_prices.product_id = coalesce(due.renewal_product_id, due.product_id)
            and catalogue_prices.currency = due.currency
            and catalogue_prices.storefront in (due.storefront, '')
            and catalogue_prices.valid_from <= due.expires_at
        order by catalogue_prices.storefront desc, catalogue_prices.valid_from desc
        limit 1
    ) as listed on true
    where due.bundle_id = :'bundle_id'::text
        and due.environment = 'Production'
        and due.expires_at >= (:'day'::text::date::timestamp at time zone :'time_zone'::text)
        and due.expires_at < ((:'day'::text::date + 1)::timestamp at time zone :'time_zone'::text)
        and not due.is_family
        and not due.is_over
)
select
    priced.original_transaction_id, priced.bundle_id, :'day'::text::date, priced.charge_id, priced.product_id,
    priced.next_product_id, priced.subscription_group, coalesce(priced.storefront, ''),
    coalesce(priced.currency, priced.renewal_currency, ''), priced.user_id, priced.status, priced.due_milliunits,
    coalesce(priced.is_renewing, true), coalesce(priced.price_increase_status = 0, false), priced.is_in_billing_retry,
    priced.status = 'grace', priced.offer_type is not null and priced.due_milliunits > coalesce(priced.price_milliunits, 0),
    priced.purchased_at, priced.expires_at
from priced;
