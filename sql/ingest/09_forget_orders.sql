-- purpose: replaces erased users in staged orders.
-- grain:   one row per row changed
update staged_order
set
    user_id = erased_users.pseudonym,
    application_username = null
from erased_users
where exists (select 1 from erased_users)
    and erased_users.user_hash = erasure_hash(staged_order.user_id);
