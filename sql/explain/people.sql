-- purpose: the users that an id leads to: the user of that id, users that hold or used it as an app account token, and users
--          seen on it as a device.
-- parameters: id (text)
-- grain:   one row per user and kind of lead, in order
with key_fact as (
    select kind.kind, fact.side, fact.id
    from (values ('user'), ('token'), ('device')) as kind (kind)
    cross join lateral facts_of_key(:'id'::text, kind.kind) as fact
),
upload as materialized (select hash_of_letters(key_fact.id) as sha256, key_fact.kind from key_fact where key_fact.side = 'evidence'),
known as (
    select users.user_id, 'user' as kind from users where users.user_id = :'id'::text
    union
    select user_tokens.user_id, 'token' from user_tokens where user_tokens.app_account_token = :'id'::text
    union
    select orders.user_id, key_fact.kind
    from key_fact
    inner join orders on orders.order_id = key_fact.id
    where key_fact.side = 'order'
        and :'id'::text
        = case key_fact.kind when 'user' then orders.user_id when 'token' then orders.app_account_token else orders.device_id end
    union
    select uploads.user_id, upload.kind
    from upload
    inner join uploads on uploads.sha256 = upload.sha256
    where uploads.user_id <> ''
        and :'id'::text = case upload.kind when 'user' then uploads.user_id else uploads.device_id end
)
select known.user_id, known.kind
from known
order by known.user_id collate "C", known.kind desc;
