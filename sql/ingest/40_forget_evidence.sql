-- purpose: replaces erased users in staged evidence.
-- grain:   one row per row changed
update staged_evidence
set user_id = erased_users.pseudonym
from erased_users
where exists (select 1 from erased_users)
    and staged_evidence.user_id <> ''
    and erased_users.user_hash = erasure_hash(staged_evidence.user_id);
