-- purpose: Returns the form of a person's name that is compared: without case, blanks and variants of the same letter.
create or replace function payrecon.person_key(name text) returns text
language sql stable parallel safe
as $$
    select lower(regexp_replace(normalize($1, nfkc), '[[:space:][:cntrl:]]', '', 'g') collate "default")
$$;
