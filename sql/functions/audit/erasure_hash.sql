-- purpose: Returns the tombstone of a user id.
create or replace function payrecon.erasure_hash(user_id text) returns text
language sql stable parallel safe
return (select encode(sha256(convert_to(erasure_key.key || '|' || $1, 'UTF8')), 'hex') from payrecon.erasure_key);
