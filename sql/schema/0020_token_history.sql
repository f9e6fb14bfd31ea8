-- purpose: the tokens of users are a history: every token that a user ever held leads to that user.

-- batch_id: of those that told it, the batch with the earliest clock.
create table payrecon.user_tokens (
    app_account_token text collate "C" not null,
    user_id text collate "C" not null,
    batch_id bigint not null,
    constraint user_tokens_pkey primary key (app_account_token, user_id)
);
create index user_tokens_user on payrecon.user_tokens (user_id);
-- Whose a token is that no user holds, the orders say that carry it.
create index orders_token on payrecon.orders (app_account_token) where app_account_token is not null;
insert into payrecon.user_tokens (app_account_token, user_id, batch_id)
select distinct on (told.app_account_token, told.user_id) told.app_account_token, told.user_id, told.batch_id
from (
    select app_account_token, user_id, batch_id from payrecon.users
    union all
    select app_account_token, user_id, batch_id from payrecon.user_versions
) as told
left join payrecon.batches on batches.batch_id = told.batch_id
where told.app_account_token is not null
order by told.app_account_token, told.user_id, batches.known_at, told.batch_id;

-- Tokens that were replaced before the links of all facts were written have none yet.
insert into payrecon.reach_keys (key, kind, side, id)
select link.key, link.kind, link.side, link.id
from payrecon.user_tokens
cross join lateral (
    values
        (user_tokens.user_id, 'user', 'token', user_tokens.app_account_token),
        (user_tokens.app_account_token, 'token', 'user', user_tokens.user_id)
) as link (key, kind, side, id)
where exists (select 1 from payrecon.match_state where match_state.name = 'match' and match_state.has_reach)
on conflict do nothing;
insert into payrecon.shared_tokens (app_account_token)
select app_account_token
from payrecon.user_tokens
group by app_account_token
having count(*) > 1
on conflict do nothing;
