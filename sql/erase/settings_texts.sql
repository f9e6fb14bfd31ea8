-- purpose: replaces an erased user in stored settings, which list testers and reviewers.
-- parameters: pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update settings_texts
set settings = regexp_replace(settings, :'pattern'::text, :'pseudonym'::text, 'g')
where settings ~ :'pattern'::text;
