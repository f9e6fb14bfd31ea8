-- purpose: replaces an erased user in the reasons of closes and reopenings.
-- parameters: pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update period_steps
set reason = regexp_replace(reason, :'pattern'::text, :'pseudonym'::text, 'g')
where reason ~ :'pattern'::text;
