-- purpose: replaces an erased user in the reasons of answers to consumption requests.
-- parameters: pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update consumption_answers
set reason = regexp_replace(reason, :'pattern'::text, :'pseudonym'::text, 'g')
where reason ~ :'pattern'::text;
