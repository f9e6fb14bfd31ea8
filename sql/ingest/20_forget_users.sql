-- purpose: removes staged rows of erased users.
-- grain:   one row per row changed
delete from staged_user
using erased_users
where exists (select 1 from erased_users)
    and erased_users.user_hash = erasure_hash(staged_user.user_id);
