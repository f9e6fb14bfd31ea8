-- purpose: notes which tokens of the changed users another user holds, too: rules take their holders for one person.
-- parameters: none
-- grain:   one row per token
insert into shared_tokens (app_account_token)
with changed as materialized (
    select distinct users_changed.user_id
    from changes
    cross join lateral unnest(changes.ids) as users_changed (user_id)
    where changes.kind = 'user'
),
told as materialized (
    select distinct user_tokens.app_account_token
    from changed
    inner join user_tokens on user_tokens.user_id = changed.user_id
),
held as materialized (
    select user_tokens.app_account_token
    from told
    inner join user_tokens on user_tokens.app_account_token = told.app_account_token
)
select held.app_account_token
from held
group by held.app_account_token
having count(*) > 1
order by held.app_account_token
on conflict do nothing;
