-- purpose: evidence that an erased user handed over comes in under the pseudonym.
-- parameters: none
-- grain:   one row per row changed
update staged_evidence
set user_id = erased_users.pseudonym
from erased_users
where exists (select 1 from erased_users)
    and staged_evidence.user_id <> ''
    and erased_users.user_hash = erasure_hash(staged_evidence.user_id);
