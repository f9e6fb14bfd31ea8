-- purpose: why no rung found a charge for an order, as a person would say it.
-- parameters: order_id (text)
-- grain:   one row per rung M1 to M6
with subject as (
    select orders.*, users.app_account_token as user_token
    from orders
    left join users on users.user_id = orders.user_id
    where orders.order_id = :'order_id'::text
),
reach as (
    select
        subject.*,
        coalesce(subject.app_account_token, subject.user_token) as token,
        exists (
            select
            from match_keys
            where match_keys.key = subject.transaction_id
                and match_keys.kind = 'transaction_id'
                and match_keys.side = 'charge'
        ) as is_transaction_known,
        exists (
            select
            from match_keys
            where match_keys.key = subject.web_order_line_item_id
                and match_keys.kind = 'line_item'
                and match_keys.side = 'charge'
        ) as is_line_known,
        exists (
            select from charges where charges.original_transaction_id = subject.original_transaction_id
        ) as is_original_known,
        evidence.verdict
    from subject
    left join judged_evidence as evidence on evidence.sha256 = subject.evidence_sha256
)
select rung, false, reason
from reach
cross join lateral (
    values
        ('M1', case
            when transaction_id is null then 'the order names no transaction'
            when is_transaction_known then 'the charge of transaction ' || transaction_id || ' is not the order''s'
            else 'no genuine evidence tells of transaction ' || transaction_id
        end),
        ('M2', case
            when token is null then 'neither the order nor its user carries a token'
            when exists (select from user_tokens where user_tokens.app_account_token = token)
                and not exists (select from token_owners(array[token]))
                then 'the token was held by several users, so that it speaks for none'
            else 'no open charge carries ' || case when app_account_token is null then 'the user''s' else 'the order''s' end
                || ' token with that product'
        end),
        ('M3', case
            when web_order_line_item_id is null and original_transaction_id is null
                then 'the order names no line item and no original transaction'
            when web_order_line_item_id is not null and not is_line_known
                then 'no genuine evidence tells of line item ' || web_order_line_item_id
            when original_transaction_id is not null and not is_original_known
                then 'no genuine evidence tells of original transaction ' || original_transaction_id
            else 'what the order names is not the order''s'
        end),
        ('M4', 'no renewal of a subscription of user ' || user_id || ' lies in the period'),
        ('M5', case
            when evidence_sha256 is null then 'the order carries no evidence hash, and no upload names the order'
            when verdict is null then 'evidence ' || evidence_sha256 || ' is not known'
            when verdict <> 'genuine' then 'evidence ' || evidence_sha256 || ' is ' || verdict
            else 'the charge of evidence ' || evidence_sha256 || ' is not the order''s'
        end),
        ('M6', 'no open charge of user ' || user_id || ' fits in product, quantity and time')
) as said (rung, reason)
order by rung;
