-- purpose: erased users of a chunk, whose orders are stored under the pseudonym.
-- parameters: user_ids (text[])
-- grain:   one row per erased user
select chunk_user.user_id, erased_users.pseudonym
from unnest(:'user_ids'::text[]) as chunk_user (user_id)
inner join erased_users on erased_users.user_hash = erasure_hash(chunk_user.user_id);
