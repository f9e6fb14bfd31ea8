-- purpose: ids and attributes of some orders and charges, side by side.
-- parameters: order_ids, charge_ids (text[]), rows (bigint)
-- grain:   one row per order or charge
with placed as materialized (
    select orders.* from unnest(:'order_ids'::text[]) as wanted (order_id) inner join orders on orders.order_id = wanted.order_id
),
charged as materialized (select charges.* from charges where charges.charge_id = any(:'charge_ids'::text[])),
owner as materialized (
    select owners.token, owners.user_id
    from token_owners(
        array(select distinct charged.app_account_token from charged where charged.app_account_token is not null)
    ) as owners
)
select item.side, item.id, item.status, item.user_id, item.product_id, item.price, item.storefront, item.app_account_token,
    item.device_id, item.transaction_id, item.original_transaction_id, item.web_order_line_item_id, item.environment
from (
    select 'order' as side, placed.order_id as id, placed.status, placed.user_id, placed.product_id || ' x ' || placed.quantity
        as product_id, money_text(placed.price_milliunits, placed.currency) as price, placed.storefront,
        placed.app_account_token, placed.device_id, placed.transaction_id, placed.original_transaction_id,
        placed.web_order_line_item_id, placed.environment
    from placed
    union all
    select 'charge', charged.charge_id, charged.state, owner.user_id, charged.product_id || ' x ' || charged.quantity,
        money_text(charged.price_milliunits, charged.currency), charged.storefront, charged.app_account_token, null,
        array_to_string(charged.transaction_ids, e'\n'), charged.original_transaction_id, charged.web_order_line_item_id,
        charged.environment
    from charged
    left join owner on owner.token = charged.app_account_token
) as item
order by item.side desc, item.id
limit :'rows'::bigint;
