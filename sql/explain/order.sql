-- purpose: an order and the decision on it, as lines a person reads.
-- parameters: id (text): order id
-- grain:   one row per line
with subject as (
    select orders.* from orders where orders.order_id = :'id'::text
),
line as (
    select 1 as place, '' as part,
        'order ' || order_id || ': ' || status || ', user ' || user_id || ', ' || product_id || ' x ' || quantity
        || coalesce(', ' || price_milliunits || ' thousandths ' || currency, '') || ', ' || environment || ', app '
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
            'line item ' || web_order_line_item_id, 'token ' || app_account_token, 'evidence ' || evidence_sha256
        ), ''), 'no transaction, line item, token or evidence')
    from subject
    union all
    select 4, '', '  matched by ' || matches.rung || ' with charge ' || matches.charge_id || ', confidence '
        || matches.confidence || ', decided ' || rfc3339(matches.valid_from) || ' in run ' || matches.run_id
    from subject
    inner join claims on claims.order_id = subject.order_id
    inner join matches
        on matches.original_transaction_id = claims.original_transaction_id
        and matches.charge_id = claims.charge_id
    union all
    select 5, above.rung, '    not by ' || above.rung || ': ' || above.reason
    from subject
    inner join claims on claims.order_id = subject.order_id
    inner join matches
        on matches.original_transaction_id = claims.original_transaction_id
        and matches.charge_id = claims.charge_id
    inner join charges
        on charges.original_transaction_id = claims.original_transaction_id
        and charges.charge_id = claims.charge_id
    cross join lateral (
        values
            ('M1', case
                when subject.transaction_id is null then 'the order names no transaction'
                when subject.transaction_id <> all(charges.transaction_ids)
                    then 'transaction ' || subject.transaction_id || ' is no alias of the charge'
                else 'the claim was refused'
            end),
            ('M2', case
                when charges.app_account_token is null then 'the charge carries no token'
                when subject.app_account_token is distinct from charges.app_account_token
                    then 'the tokens differ, or several open orders carry the charge''s token'
                else 'several open orders carry the charge''s token'
            end),
            ('M3', case
                when subject.web_order_line_item_id is null and subject.original_transaction_id is null
                    then 'the order names no line item and no original transaction'
                else 'the line item or original transaction is another'
            end),
            ('M4', case when charges.is_renewal then 'no order of the chain''s owner lies in the period'
                else 'the charge is not a renewal' end),
            ('M5', case
                when subject.evidence_sha256 is null then 'the order carries no evidence hash and no upload names it'
                else 'the evidence decodes to another charge'
            end)
    ) as above (rung, reason)
    where above.rung < matches.rung
    union all
    select 6, refused_claims.class, '  no match: ' || refused_claims.class || ' on rung ' || refused_claims.rung
        || coalesce(', charge ' || refused_claims.charge_id, '')
        || coalesce(', evidence ' || refused_claims.evidence_sha256, '')
        || coalesce(', held by order ' || refused_claims.counterpart, '')
    from subject
    inner join refused_claims on refused_claims.order_id = subject.order_id
    union all
    select 7, ambiguous_candidates.charge_id, '  candidate ' || ambiguous_candidates.rank || ' of charge '
        || ambiguous_candidates.charge_id || ': ' || ambiguous_candidates.contributions
    from subject
    inner join ambiguous_candidates on ambiguous_candidates.order_id = subject.order_id
)
select text
from line
order by place, part, text;
