-- purpose: an order, as phrases.
-- parameters: id (text): order id
-- grain:   one row per line; is_detail: it belongs to the line before
with subject as (select orders.* from orders where orders.order_id = :'id'::text),
line as (
    select 1 as place, '' as part,
        phrase('explain.order_is', jsonb_build_object('id', order_id, 'facts', jsonb_build_array(
            phrase('status.' || status), phrase('explain.user', 'id', user_id), product_id || ' x ' || quantity,
            money_text(price_milliunits, currency), environment, phrase('explain.app', 'id', bundle_id)
        ))) as text
    from subject
    union all
    -- Steps of one instant are in the order of their states.
    select 2, to_char(instant.at, 'YYYYMMDDHH24MISSUS') || instant.step,
        phrase('explain.at', jsonb_build_object('at', rfc3339(instant.at), 'what', phrase(instant.key)))
    from subject
    cross join lateral (
        values
            (1, created_at, 'explain.order_created'), (2, paid_at, 'explain.order_paid'),
            (3, delivered_at, 'explain.order_delivered'), (4, refunded_at, 'explain.order_refunded')
    ) as instant (step, at, key)
    where instant.at is not null
    union all
    select 3, '', phrase('explain.names', jsonb_build_object('facts', case
            when num_nonnulls(transaction_id, original_transaction_id, web_order_line_item_id, app_account_token, evidence_sha256) = 0
                then phrase('explain.names_nothing')
            else jsonb_build_array(
                phrase('explain.transaction', 'id', transaction_id), phrase('explain.original', 'id', original_transaction_id),
                phrase('explain.line_item', 'id', web_order_line_item_id), phrase('explain.token', 'id', app_account_token),
                phrase('explain.evidence', 'id', encode(evidence_sha256, 'hex'))
            )
        end))
    from subject
)
select text::text, place > 1 as is_detail
from line
order by place, part, text;
