-- purpose: adds the tombstone of a user: a keyed hash and the pseudonym. Returns the pseudonym, and a regular expression that
--          finds the user id as a word.
-- parameters: user_id (text), erased_at (timestamptz)
-- grain:   one row; none if the user was erased before
insert into erased_users (user_hash, pseudonym, erased_at)
select found.user_hash, 'erased-' || left(found.user_hash, 20), :'erased_at'::timestamptz
from (select erasure_hash(:'user_id'::text) as user_hash) as found
on conflict do nothing
returning pseudonym, word_pattern(:'user_id'::text) as pattern;
