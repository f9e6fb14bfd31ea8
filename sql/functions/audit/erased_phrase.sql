-- purpose: Returns a phrase with an erased user replaced by the pseudonym in all its values. Keys stay.
-- parameters: pattern (text): a regular expression that finds the user id as a word
create or replace function payrecon.erased_phrase(said jsonb, pattern text, pseudonym text) returns jsonb
language sql immutable parallel safe
return payrecon.erased_detail($1, null, $2, $3);
