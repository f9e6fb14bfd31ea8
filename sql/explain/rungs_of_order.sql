-- purpose: why no rung found a charge for an order when the ladder was climbed anew, as a person would say it.
-- parameters: order_id (text)
-- grain:   one row per rung M1 to M6; none when the ladder did not look at the order
with subject as (
    select
        match_order.*,
        coalesce(match_order.own_token, users.app_account_token) as token,
        evidence.verdict
    from match_order
    left join in_users as users on users.user_id = match_order.user_id
    left join in_judged_evidence as evidence on evidence.sha256 = match_order.evidence_sha256
    where match_order.order_id = :'order_id'::text
)
select rung, false, reason
from subject
cross join lateral (
    values
        ('M1', case
            when transaction_id is null then 'the order names no transaction'
            when exists (
                select 1 from match_candidate where match_candidate.order_id = subject.order_id and match_candidate.rung = 'M1'
            ) then 'the charge of transaction ' || transaction_id || ' is not the order''s'
            else 'no genuine evidence tells of transaction ' || transaction_id
        end),
        ('M2', case
            when token is null then 'neither the order nor its user carries a token'
            when exists (select 1 from in_user_tokens as user_tokens where user_tokens.app_account_token = token)
                and not exists (select 1 from match_token_owner where match_token_owner.token = subject.token)
                then 'the token was held by several users, so that it speaks for none'
            else 'no open charge carries ' || case when own_token is null then 'the user''s' else 'the order''s' end
                || ' token with that product'
        end),
        ('M3', case
            when web_order_line_item_id is null and original_transaction_id is null
                then 'the order names no line item and no original transaction'
            when web_order_line_item_id is not null
                and not exists (
                    select 1 from in_charges as charges where charges.web_order_line_item_id = subject.web_order_line_item_id
                ) then 'no genuine evidence tells of line item ' || web_order_line_item_id
            when original_transaction_id is not null
                and not exists (
                    select 1 from in_charges as charges where charges.original_transaction_id = subject.original_transaction_id
                ) then 'no genuine evidence tells of original transaction ' || original_transaction_id
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
