-- purpose: replaces an erased user in the reasons of list removals.
-- parameters: pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update list_removals
set reason = regexp_replace(reason, :'pattern'::text, :'pseudonym'::text, 'g')
where reason ~ :'pattern'::text;
