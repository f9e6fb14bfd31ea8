-- purpose: the contribution of each compared field to the match of an order and a charge.
-- parameters: order_id, charge_id (text)
-- grain:   one row per field; delay: microseconds from order to purchase, for the time field
with ordered as materialized (select orders.* from orders where orders.order_id = :'order_id'::text),
charged as materialized (select charges.* from charges where charges.charge_id = :'charge_id'::text),
buyer as materialized (select users.app_account_token from ordered inner join users on users.user_id = ordered.user_id),
holder as materialized (
    select user_tokens.user_id
    from charged
    inner join user_tokens on user_tokens.app_account_token = charged.app_account_token
),
pair as (
    select
        ordered.*,
        charged.charge_id, charged.original_transaction_id as route, charged.app_account_token as charge_token,
        charged.product_id as charge_product, charged.quantity as charge_quantity, charged.price_milliunits as charge_price,
        charged.currency as charge_currency, charged.storefront as charge_storefront, charged.purchased_at,
        buyer.app_account_token as user_token,
        exists (select 1 from holder where holder.user_id = ordered.user_id) as is_holder,
        exists (select 1 from holder where holder.user_id <> ordered.user_id) as is_held_by_others,
        charged.purchased_at - ordered.created_at as delay
    from ordered
    cross join charged
    left join buyer on true
),
-- A period may have been reported without its line item, under another charge id.
charge_key as materialized (
    select charged.original_transaction_id, charged.charge_id from charged
    union
    select alias.original_transaction_id, alias.stated_id
    from charged
    cross join lateral charge_aliases_at('infinity', array[charged.original_transaction_id]) as alias
    where alias.charge_id = charged.charge_id
),
signed as materialized (
    select transactions.evidence_sha256
    from charge_key
    inner join transactions
        on transactions.original_transaction_id = charge_key.original_transaction_id
        and transactions.charge_id = charge_key.charge_id
),
handed as (
    select
        ordered.order_id,
        bool_or(uploads.user_id = ordered.user_id) as is_uploader,
        min(nullif(uploads.user_id, '')) as uploader,
        min(nullif(uploads.device_id, '')) as device
    from ordered
    cross join signed
    inner join uploads on uploads.sha256 = signed.evidence_sha256
    group by ordered.order_id
)
select field, text, case field when 'time' then (select (extract(epoch from delay) * 1000000)::bigint from pair) end as delay
from (
    select 1 as place, 'time' as field, '' as text
    from pair
    union all
    select 2, 'product', case when product_id = charge_product then product_id || ' on both sides'
        else 'ordered ' || product_id || ', purchased ' || charge_product end
    from pair
    union all
    select 3, 'user', 'user ' || pair.user_id || case
            when pair.charge_token in (pair.user_token, pair.app_account_token) or pair.is_holder
                then case when pair.is_held_by_others then ' by token, which another user held, too' else ' by token' end
            when handed.is_uploader then ' uploaded the evidence'
            when handed.uploader is not null and handed.device is not null
                then '; the evidence was uploaded by user ' || handed.uploader || ' on device ' || handed.device
            when handed.uploader is not null then '; the evidence was uploaded by user ' || handed.uploader
            when handed.device is not null then '; the evidence was uploaded on device ' || handed.device
            when handed.order_id is not null then '; no upload of the evidence names a user'
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
            when price_milliunits is null then 'the order states none'
            when charge_price is null then 'the charge states none'
            when currency <> charge_currency then 'ordered in ' || currency || ', purchased in ' || charge_currency
            when price_milliunits = charge_price
                then money_text(price_milliunits, charge_currency) || ' on both sides'
            else 'ordered ' || money_text(price_milliunits, charge_currency) || ', purchased '
                || money_text(charge_price, charge_currency)
        end
    from pair
    union all
    select 6, 'storefront', case
            when storefront is null then 'the order states none'
            when charge_storefront is null then 'the charge states none'
            when storefront = charge_storefront then storefront || ' on both sides'
            else 'ordered in ' || storefront || ', purchased in ' || charge_storefront
        end
    from pair
) as field_line
order by place;
