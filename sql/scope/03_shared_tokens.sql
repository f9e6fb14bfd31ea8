-- purpose: records tokens of changed users that another user holds too; rules treat their holders as one person.
-- grain:   one row per token
insert into shared_tokens (app_account_token)
with changed as materialized (
    select distinct users_changed.user_id
    from changes
    cross join lateral unnest(changes.ids) as users_changed (user_id)
    where changes.kind = 'user'
),
changed_token as materialized (
    select distinct user_tokens.app_account_token
    from changed
    inner join user_tokens on user_tokens.user_id = changed.user_id
),
holder as materialized (
    select user_tokens.app_account_token
    from changed_token
    inner join user_tokens on user_tokens.app_account_token = changed_token.app_account_token
)
select holder.app_account_token
from holder
group by holder.app_account_token
having count(*) > 1
order by holder.app_account_token
on conflict do nothing;
