-- purpose: the contribution of each compared field to the match of an order and a charge.
-- parameters: order_id, charge_id (text)
-- grain:   one row per field; text: a phrase, null for the time field; delay: microseconds from order to purchase, for the
--          time field
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
select field, text::text, case field when 'time' then (select (extract(epoch from delay) * 1000000)::bigint from pair) end as delay
from (
    select 1 as place, 'time' as field, null::jsonb as text
    from pair
    union all
    select 2, 'product', case when product_id = charge_product then phrase('explain.both_sides', 'what', product_id)
        else phrase('explain.ordered_purchased', 'ours', product_id, 'theirs', charge_product) end
    from pair
    union all
    select 3, 'user', case
            when pair.charge_token in (pair.user_token, pair.app_account_token) or pair.is_holder
                then phrase(case when pair.is_held_by_others then 'explain.by_token_shared' else 'explain.by_token' end, 'id', pair.user_id)
            when handed.is_uploader then phrase('explain.uploaded_it', 'id', pair.user_id)
            when handed.order_id is null then phrase('explain.uploaded_never', 'id', pair.user_id)
            else coalesce(
                phrase('explain.uploaded_by_on', 'id', pair.user_id, 'other', handed.uploader, 'device', handed.device),
                phrase('explain.uploaded_by', 'id', pair.user_id, 'other', handed.uploader),
                phrase('explain.uploaded_on', 'id', pair.user_id, 'device', handed.device),
                phrase('explain.uploaded_nameless', 'id', pair.user_id)
            )
        end
    from pair
    left join handed on handed.order_id = pair.order_id
    union all
    select 4, 'quantity', case when quantity = charge_quantity then phrase('explain.both_sides', 'what', quantity::text)
        else phrase('explain.ordered_purchased', 'ours', quantity::text, 'theirs', charge_quantity::text) end
    from pair
    union all
    select 5, 'price', case
            when price_milliunits is null then phrase('explain.order_states_none')
            when charge_price is null then phrase('explain.charge_states_none')
            when currency <> charge_currency then phrase('explain.ordered_in', 'ours', currency, 'theirs', charge_currency)
            when price_milliunits = charge_price
                then phrase('explain.both_sides', 'what', money_text(price_milliunits, charge_currency))
            else phrase(
                'explain.ordered_purchased',
                'ours', money_text(price_milliunits, charge_currency), 'theirs', money_text(charge_price, charge_currency)
            )
        end
    from pair
    union all
    select 6, 'storefront', case
            when storefront is null then phrase('explain.order_states_none')
            when charge_storefront is null then phrase('explain.charge_states_none')
            when storefront = charge_storefront then phrase('explain.both_sides', 'what', storefront)
            else phrase('explain.ordered_in', 'ours', storefront, 'theirs', charge_storefront)
        end
    from pair
) as field_line
order by place;
