-- purpose: a charge and its signed evidence, as lines a person reads.
-- parameters: id (text): charge id
-- grain:   one row per line
with subject as (
    select charges.* from charges where charges.charge_id = :'id'::text
),
-- A period may have been told without its line item.
told as (
    select subject.original_transaction_id, subject.charge_id from subject
    union
    select charge_aliases.original_transaction_id, charge_aliases.told_id
    from subject
    inner join charge_aliases on charge_aliases.charge_id = subject.charge_id
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
    select 4, transactions.evidence_sha256, '  evidence ' || transactions.evidence_sha256 || ': transaction '
        || transactions.transaction_id || ', signed ' || rfc3339(transactions.signed_at) || ', from '
        || evidence.source || ', received ' || rfc3339(evidence.received_at)
    from told
    inner join transactions
        on transactions.original_transaction_id = told.original_transaction_id
        and transactions.charge_id = told.charge_id
    inner join evidence on evidence.sha256 = transactions.evidence_sha256
    union all
    select 5, sightings.sha256 || rfc3339(sightings.received_at), '  handed over ' || rfc3339(sightings.received_at)
        || ' by ' || concat_ws(
            ', ', sightings.source, 'user ' || nullif(sightings.user_id, ''), 'device ' || nullif(sightings.device_id, ''),
            'for order ' || nullif(sightings.order_id, '')
        )
    from told
    inner join transactions
        on transactions.original_transaction_id = told.original_transaction_id
        and transactions.charge_id = told.charge_id
    inner join sightings on sightings.sha256 = transactions.evidence_sha256
)
select text
from line
order by place, part, text;
