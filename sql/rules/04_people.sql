-- purpose: users that are one person or one household: members of a listed family, and accounts that share a token because
--          they were merged. Everybody not named here stands alone.
-- grain:   one row per user who does not stand alone
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
)
select user_id, min(person) as person
from (
    select holder.user_id, 'token:' || holder.person as person
    from holder
    where not exists (
        select 1 from rule_list where rule_list.list = 'family' and rule_list.subject_id = holder.user_id
    )
    union all
    select rule_list.subject_id, 'family:' || rule_list.family
    from rule_list
    where rule_list.list = 'family'
) as named
group by user_id;
