-- purpose: a charge, its signed evidence and the decision on it, as lines a person reads.
-- parameters: id (text): charge id
-- grain:   one row per line
with subject as (
    select charges.* from charges where charges.charge_id = :'id'::text
),
line as (
    select 1 as place, '' as part,
        'charge ' || charge_id || ': ' || state || ', ' || product_id || ' x ' || quantity
        || coalesce(', ' || price_milliunits || ' thousandths ' || currency, '') || ', ' || environment || ', app '
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
    from subject
    inner join transactions
        on transactions.original_transaction_id = subject.original_transaction_id
        and transactions.charge_id = subject.charge_id
    inner join evidence on evidence.sha256 = transactions.evidence_sha256
    union all
    select 5, sightings.sha256 || rfc3339(sightings.received_at), '  handed over ' || rfc3339(sightings.received_at)
        || ' by ' || concat_ws(
            ', ', sightings.source, 'user ' || nullif(sightings.user_id, ''), 'device ' || nullif(sightings.device_id, ''),
            'for order ' || nullif(sightings.order_id, '')
        )
    from subject
    inner join evidence on evidence.charge_id = subject.charge_id
    inner join sightings on sightings.sha256 = evidence.sha256
    union all
    select 6, '', '  matched by ' || matches.rung || ' with order ' || matches.order_id || ', decided '
        || rfc3339(matches.valid_from) || ' in run ' || matches.run_id
    from subject
    inner join matches
        on matches.original_transaction_id = subject.original_transaction_id
        and matches.charge_id = subject.charge_id
    union all
    select 7, to_char(ambiguous_candidates.rank, '0000'), '  candidate ' || ambiguous_candidates.rank || ': order '
        || ambiguous_candidates.order_id || ' (' || ambiguous_candidates.contributions || ')'
    from subject
    inner join ambiguous_candidates
        on ambiguous_candidates.original_transaction_id = subject.original_transaction_id
        and ambiguous_candidates.charge_id = subject.charge_id
)
select text
from line
order by place, part, text;
