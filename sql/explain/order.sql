-- purpose: an order, as lines for readers.
-- parameters: id (text): order id
-- grain:   one row per line
with subject as (select orders.* from orders where orders.order_id = :'id'::text),
line as (
    select 1 as place, '' as part,
        'order ' || order_id || ': ' || status || ', user ' || user_id || ', ' || product_id || ' x ' || quantity
        || coalesce(', ' || money_text(price_milliunits, currency), '') || ', ' || environment || ', app '
        || bundle_id as text
    from subject
    union all
    select 2, to_char(instant.at, 'YYYYMMDDHH24MISSUS'), '  ' || rfc3339(instant.at) || '  ' || instant.word
    from subject
    cross join lateral (
        values
            (created_at, 'order created'), (paid_at, 'order paid'), (delivered_at, 'order delivered'),
            (refunded_at, 'order refunded')
    ) as instant (at, word)
    where instant.at is not null
    union all
    select 3, '', '  names: ' || coalesce(nullif(concat_ws(
            ', ', 'transaction ' || transaction_id, 'original ' || original_transaction_id,
            'line item ' || web_order_line_item_id, 'token ' || app_account_token, 'evidence ' || encode(evidence_sha256, 'hex')
        ), ''), 'no transaction, line item, token or evidence')
    from subject
)
select text
from line
order by place, part, text;
