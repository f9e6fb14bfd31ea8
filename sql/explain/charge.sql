-- purpose: a charge and its signed evidence, as phrases.
-- parameters: id (text): charge id
-- grain:   one row per line; is_detail: it belongs to the line before
with subject as (select charges.* from charges where charges.charge_id = :'id'::text),
-- A period may have been reported without its line item, under another charge id.
charge_key as (
    select subject.original_transaction_id, subject.charge_id from subject
    union
    select alias.original_transaction_id, alias.stated_id
    from subject
    cross join lateral charge_aliases_at('infinity', array[subject.original_transaction_id]) as alias
    where alias.charge_id = subject.charge_id
),
signed as materialized (
    select transactions.evidence_sha256, transactions.transaction_id, transactions.signed_at
    from charge_key
    inner join transactions using (original_transaction_id, charge_id)
),
line as (
    select 1 as place, '' as part,
        phrase('explain.charge_is', jsonb_build_object('id', charge_id, 'facts', jsonb_build_array(
            phrase('status.' || state), product_id || ' x ' || quantity, money_text(price_milliunits, currency), environment,
            phrase('explain.app', 'id', bundle_id)
        ))) as text
    from subject
    union all
    select 2, '', jsonb_build_array(
            phrase('explain.transactions', 'ids', array_to_string(transaction_ids, ', ')),
            phrase('explain.original', 'id', original_transaction_id), phrase('explain.line_item', 'id', web_order_line_item_id),
            coalesce(phrase('explain.token', 'id', app_account_token), phrase('explain.no_token'))
        )
    from subject
    union all
    select 3, to_char(instant.at, 'YYYYMMDDHH24MISSUS'),
        phrase('explain.at', jsonb_build_object('at', rfc3339(instant.at), 'what', phrase(instant.key)))
    from subject
    cross join lateral (
        values
            (purchased_at, 'explain.purchased'), (expires_at, 'explain.expires'), (revoked_at, 'explain.revoked'),
            (reversed_at, 'explain.refund_reversed')
    ) as instant (at, key)
    where instant.at is not null
    union all
    select 4, encode(signed.evidence_sha256, 'hex'),
        phrase('explain.evidence_is', jsonb_build_object('id', encode(signed.evidence_sha256, 'hex'), 'facts', jsonb_build_array(
            phrase('explain.transaction', 'id', signed.transaction_id), phrase('explain.signed', 'at', rfc3339(signed.signed_at)),
            phrase('explain.from', jsonb_build_object('source', phrase('word.' || evidence.source))),
            phrase('explain.received', 'at', rfc3339(evidence.received_at))
        )))
    from signed
    inner join evidence on evidence.sha256 = signed.evidence_sha256
    union all
    select 5, encode(uploads.sha256, 'hex') || rfc3339(uploads.received_at),
        phrase('explain.handed_over', jsonb_build_object('at', rfc3339(uploads.received_at), 'by', jsonb_build_array(
            phrase('word.' || uploads.source), phrase('explain.user', 'id', nullif(uploads.user_id, '')),
            phrase('explain.device', 'id', nullif(uploads.device_id, '')), phrase('explain.for_order', 'id', nullif(uploads.order_id, ''))
        )))
    from signed
    inner join uploads on uploads.sha256 = signed.evidence_sha256
)
select text::text, place > 1 as is_detail
from line
order by place, part, text;
