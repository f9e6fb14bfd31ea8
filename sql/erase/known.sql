-- purpose: whether any record names a user, and the pseudonym if the user was erased before.
-- parameters: user_id (text)
-- grain:   one row
select
    exists (select 1 from users where users.user_id = :'user_id'::text)
    or exists (select 1 from orders where orders.user_id = :'user_id'::text)
    or exists (select 1 from order_versions where order_versions.user_id = :'user_id'::text)
    or exists (select 1 from orders where orders.operator_id = :'user_id'::text)
    or exists (select 1 from order_versions where order_versions.operator_id = :'user_id'::text)
    or exists (select 1 from uploads where uploads.user_id = :'user_id'::text)
    or exists (
        select 1 from list_entries where list_entries.subject_kind = 'user' and list_entries.subject_id = :'user_id'::text
    ) as is_known,
    (select erased_users.pseudonym from erased_users where erased_users.user_hash = erasure_hash(:'user_id'::text)) as pseudonym;
