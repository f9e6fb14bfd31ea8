-- purpose: replaces an erased user in the reasons of decisions on parked items.
-- parameters: pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update parked_outcomes
set reason = regexp_replace(reason, :'pattern'::text, :'pseudonym'::text, 'g')
where reason ~ :'pattern'::text;
