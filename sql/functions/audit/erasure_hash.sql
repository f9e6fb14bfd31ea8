-- purpose: Returns the tombstone of a user id.
create or replace function payrecon.erasure_hash(user_id text) returns text
language sql stable parallel safe
return (select payrecon.text_sha256(erasure_key.key || '|' || $1) from payrecon.erasure_key);
