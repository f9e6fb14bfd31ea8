-- purpose: the contribution of each compared field to the match of an order and a charge.
-- parameters: order_id, charge_id (text)
-- grain:   one row per field; text: a phrase, null for the time field; delay: microseconds from order to purchase, for the
--          time field
with compared_order as materialized (select orders.* from orders where orders.order_id = :'order_id'::text),
compared_charge as materialized (select charges.* from charges where charges.charge_id = :'charge_id'::text),
order_user as materialized (
    select users.app_account_token
    from compared_order
    inner join users on users.user_id = compared_order.user_id
),
token_user as materialized (
    select user_tokens.user_id
    from compared_charge
    inner join user_tokens on user_tokens.app_account_token = compared_charge.app_account_token
),
pair as (
    select
        compared_order.*,
        compared_charge.app_account_token as charge_token, compared_charge.product_id as charge_product,
        compared_charge.quantity as charge_quantity,
        compared_charge.price_milliunits as charge_price, compared_charge.currency as charge_currency,
        compared_charge.storefront as charge_storefront,
        order_user.app_account_token as user_token,
        exists (select 1 from token_user where token_user.user_id = compared_order.user_id) as is_holder,
        exists (select 1 from token_user where token_user.user_id <> compared_order.user_id) as is_held_by_others,
        compared_charge.purchased_at - compared_order.created_at as delay
    from compared_order
    cross join compared_charge
    left join order_user on true
),
-- A period may have been reported without its line item, under another charge id.
charge_key as materialized (
    select compared_charge.original_transaction_id, compared_charge.charge_id from compared_charge
    union
    select alias.original_transaction_id, alias.stated_id
    from compared_charge
    cross join lateral charge_aliases_at('infinity', array[compared_charge.original_transaction_id]) as alias
    where alias.charge_id = compared_charge.charge_id
),
signed as materialized (
    select transactions.evidence_sha256
    from charge_key
    inner join transactions using (original_transaction_id, charge_id)
),
uploader_of_charge as (
    select
        compared_order.order_id,
        bool_or(uploads.user_id = compared_order.user_id) as is_uploader,
        min(nullif(uploads.user_id, '')) as uploader,
        min(nullif(uploads.device_id, '')) as device
    from compared_order
    cross join signed
    inner join uploads on uploads.sha256 = signed.evidence_sha256
    group by compared_order.order_id
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
            when uploader_of_charge.is_uploader then phrase('explain.uploaded_it', 'id', pair.user_id)
            when uploader_of_charge.order_id is null then phrase('explain.uploaded_never', 'id', pair.user_id)
            else coalesce(
                phrase(
                    'explain.uploaded_by_on',
                    'id', pair.user_id, 'other', uploader_of_charge.uploader, 'device', uploader_of_charge.device
                ),
                phrase('explain.uploaded_by', 'id', pair.user_id, 'other', uploader_of_charge.uploader),
                phrase('explain.uploaded_on', 'id', pair.user_id, 'device', uploader_of_charge.device),
                phrase('explain.uploaded_nameless', 'id', pair.user_id)
            )
        end
    from pair
    left join uploader_of_charge on uploader_of_charge.order_id = pair.order_id
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
