-- purpose: what each field of an order and a charge adds to the belief that they belong together.
-- parameters: order_id, charge_id (text)
-- grain:   one row per field
with pair as (
    select
        orders.*,
        charges.charge_id,
        charges.original_transaction_id as route,
        charges.app_account_token as charge_token,
        charges.product_id as charge_product,
        charges.quantity as charge_quantity,
        charges.price_milliunits as charge_price,
        charges.currency as charge_currency,
        charges.storefront as charge_storefront,
        charges.purchased_at,
        users.app_account_token as user_token,
        round(abs(extract(epoch from charges.purchased_at - orders.created_at)))::bigint as distance,
        case when charges.purchased_at < orders.created_at then 'before' else 'after' end as side
    from orders
    inner join charges on charges.charge_id = :'charge_id'::text
    left join users on users.user_id = orders.user_id
    where orders.order_id = :'order_id'::text
),
handed as (
    select
        pair.order_id,
        bool_or(sightings.user_id = pair.user_id) as is_uploader,
        min(nullif(sightings.user_id, '')) as uploader,
        min(nullif(sightings.device_id, '')) as device
    from pair
    inner join transactions
        on transactions.original_transaction_id = pair.route
        and transactions.charge_id = pair.charge_id
    inner join sightings on sightings.sha256 = transactions.evidence_sha256
    group by pair.order_id
)
select field, text
from (
    select
        1 as place,
        'time' as field,
        'purchased '
        || case
            when distance < 180 then distance || ' s'
            when distance < 10800 then distance / 60 || ' min'
            when distance < 172800 then distance / 3600 || ' h'
            else distance / 86400 || ' days'
        end || ' ' || side || ' the order was created' as text
    from pair
    union all
    select 2, 'product', case when product_id = charge_product then product_id || ' on both sides'
        else 'ordered ' || product_id || ', purchased ' || charge_product end
    from pair
    union all
    select 3, 'user', 'user ' || pair.user_id || case
            when pair.charge_token in (pair.user_token, pair.app_account_token)
                or exists (
                    select 1
                    from user_tokens
                    where user_tokens.app_account_token = pair.charge_token
                        and user_tokens.user_id = pair.user_id
                ) then ' by token'
            when handed.is_uploader then ' uploaded the evidence'
            when handed.uploader is not null and handed.device is not null
                then '; the evidence was uploaded by user ' || handed.uploader || ' on device ' || handed.device
            when handed.uploader is not null then '; the evidence was uploaded by user ' || handed.uploader
            else '; nobody uploaded the evidence'
        end
    from pair
    left join handed on handed.order_id = pair.order_id
    union all
    select 4, 'quantity', case when quantity = charge_quantity then quantity || ' on both sides'
        else 'ordered ' || quantity || ', purchased ' || charge_quantity end
    from pair
    union all
    select 5, 'price', case
            when price_milliunits is null then 'the order tells none'
            when charge_price is null then 'the charge tells none'
            when currency <> charge_currency then 'ordered in ' || currency || ', purchased in ' || charge_currency
            when price_milliunits = charge_price
                then money_text(price_milliunits, charge_currency) || ' on both sides'
            else 'ordered ' || money_text(price_milliunits, charge_currency) || ', purchased '
                || money_text(charge_price, charge_currency)
        end
    from pair
    union all
    select 6, 'storefront', case
            when storefront is null then 'the order tells none'
            when charge_storefront is null then 'the charge tells none'
            when storefront = charge_storefront then storefront || ' on both sides'
            else 'ordered in ' || storefront || ', purchased in ' || charge_storefront
        end
    from pair
) as field_line
order by place;
