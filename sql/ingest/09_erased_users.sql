-- purpose: users of a chunk who are erased: their orders are recorded under the pseudonym.
-- parameters: user_ids (text[])
-- grain:   one row per erased user
select told.user_id, erased_users.pseudonym
from unnest(:'user_ids'::text[]) as told (user_id)
inner join erased_users on erased_users.user_hash = erasure_hash(told.user_id)
where exists (select 1 from erased_users);
