-- purpose: replaces an erased user, so that its token leads to the pseudonym. Deletes and inserts the row, because the user
--          id is its key. erased_at stays: rules read from it when the shop erased or merged the account.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
with removed as (
    delete from users
    where user_id = :'user_id'::text
    returning app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at, stated_at, consumption_consent, mapping_number
)
insert into users (
    user_id, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at, stated_at, consumption_consent,
    mapping_number
)
select
    :'pseudonym'::text, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at, stated_at,
    consumption_consent, mapping_number
from removed;
