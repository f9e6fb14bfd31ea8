-- purpose: a charge and its signed evidence, as lines for readers.
-- parameters: id (text): charge id
-- grain:   one row per line
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
    inner join transactions
        on transactions.original_transaction_id = charge_key.original_transaction_id
        and transactions.charge_id = charge_key.charge_id
),
line as (
    select 1 as place, '' as part,
        'charge ' || charge_id || ': ' || state || ', ' || product_id || ' x ' || quantity
        || coalesce(', ' || money_text(price_milliunits, currency), '') || ', ' || environment || ', app '
        || bundle_id as text
    from subject
    union all
    select 2, '', '  transactions ' || array_to_string(transaction_ids, ', ') || ', original '
        || original_transaction_id || coalesce(', line item ' || web_order_line_item_id, '')
        || coalesce(', token ' || app_account_token, ', no token')
    from subject
    union all
    select 3, to_char(instant.at, 'YYYYMMDDHH24MISSUS'), '  ' || rfc3339(instant.at) || '  ' || instant.word
    from subject
    cross join lateral (
        values
            (purchased_at, 'purchased'), (expires_at, 'expires'), (revoked_at, 'revoked by Apple'),
            (reversed_at, 'refund reversed')
    ) as instant (at, word)
    where instant.at is not null
    union all
    select 4, encode(signed.evidence_sha256, 'hex'), '  evidence ' || encode(signed.evidence_sha256, 'hex') || ': transaction '
        || signed.transaction_id || ', signed ' || rfc3339(signed.signed_at) || ', from '
        || evidence.source || ', received ' || rfc3339(evidence.received_at)
    from signed
    inner join evidence on evidence.sha256 = signed.evidence_sha256
    union all
    select 5, encode(uploads.sha256, 'hex') || rfc3339(uploads.received_at), '  handed over ' || rfc3339(uploads.received_at)
        || ' by ' || concat_ws(
            ', ', uploads.source, 'user ' || nullif(uploads.user_id, ''), 'device ' || nullif(uploads.device_id, ''),
            'for order ' || nullif(uploads.order_id, '')
        )
    from signed
    inner join uploads on uploads.sha256 = signed.evidence_sha256
)
select text
from line
order by place, part, text;
