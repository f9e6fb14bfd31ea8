-- purpose: replaces an erased user in replaced user versions. Deletes and inserts the rows, because the user id is their key.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
with removed as (
    delete from user_versions
    where user_id = :'user_id'::text
    returning app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at, consumption_consent, replaced_by_batch_id
)
insert into user_versions (
    user_id, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at, consumption_consent, replaced_by_batch_id
)
select
    :'pseudonym'::text, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at, consumption_consent,
    replaced_by_batch_id
from removed;
