-- purpose: records tokens of changed users that another user holds too; rules treat their holders as one person.
-- grain:   one row per token
insert into shared_tokens (app_account_token)
with changed as (
    select unnest(changes.ids) as user_id
    from changes
    where changes.kind = 'user'
)
select distinct held.app_account_token
from changed
inner join user_tokens as held on held.user_id = changed.user_id
inner join user_tokens as other
    on other.app_account_token = held.app_account_token
    and other.user_id <> held.user_id
order by held.app_account_token
on conflict do nothing;
