-- purpose: subscriptions for which more than one user speaks, by a transaction id or a token.
-- grain:   one row per subscription
create temp table match_contested_chain on commit drop as
select said.environment, said.bundle_id, said.original_transaction_id
from (
    select environment, bundle_id, original_transaction_id, user_id
    from match_named
    where type = 'auto_renewable'
    union all
    select charges.environment, charges.bundle_id, charges.original_transaction_id, match_token_owner.user_id
    from in_charges as charges
    inner join match_token_owner on match_token_owner.token = charges.app_account_token
    where charges.type = 'auto_renewable'
) as said
group by said.environment, said.bundle_id, said.original_transaction_id
having min(said.user_id) <> max(said.user_id);
