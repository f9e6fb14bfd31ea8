-- purpose: users grouped with others. Accounts that share a token after a merge are one person for all purposes. Members of
--          a listed household are one where groups are counted, and where one claims another's purchase while the entries
--          cover both.
-- grain:   one row per grouped user
create temp table rule_person on commit drop as
with token_holder as (
    select user_tokens.app_account_token, min(user_tokens.user_id) as person
    from rule_shared_token
    inner join user_tokens on user_tokens.app_account_token = rule_shared_token.app_account_token
    group by user_tokens.app_account_token
    having count(*) > 1
),
holder as materialized (
    select user_tokens.user_id, token_holder.person
    from token_holder
    inner join user_tokens on user_tokens.app_account_token = token_holder.app_account_token
),
merged as (
    select holder.user_id, min('token:' || holder.person) as person
    from holder
    group by holder.user_id
),
member as (
    select rule_household.user_id, min('family:' || rule_household.family) as household
    from rule_household
    group by rule_household.user_id
)
select
    user_id,
    coalesce(merged.person, user_id) as person,
    -- An account merged into a household member belongs to the household.
    coalesce(min(member.household) over (partition by coalesce(merged.person, user_id)), merged.person) as household
from merged
full join member using (user_id);
