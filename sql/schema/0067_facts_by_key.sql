-- purpose: what a user, a token or a device leads to is found by indexes of the facts themselves: the table that said it once more, and
--          had to be written by match runs before it could be asked, goes. Its space is free before theirs is taken.
drop table payrecon.component_keys;
alter table payrecon.match_state drop column has_keys;

create index orders_user on payrecon.orders (user_id);
create index orders_device on payrecon.orders (device_id) where device_id is not null;
create index order_versions_user on payrecon.order_versions (user_id);
create index order_versions_token on payrecon.order_versions (app_account_token) where app_account_token is not null;
create index order_versions_device on payrecon.order_versions (device_id) where device_id is not null;
create index uploads_user on payrecon.uploads (user_id) where user_id <> '';
create index uploads_device on payrecon.uploads (device_id) where device_id <> '';
create index transactions_token on payrecon.transactions (app_account_token) where app_account_token is not null;

-- Of users whose change no match run has seen.
insert into payrecon.shared_tokens (app_account_token)
select user_tokens.app_account_token
from payrecon.user_tokens
group by user_tokens.app_account_token
having count(*) > 1
on conflict do nothing;
