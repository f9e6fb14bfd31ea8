-- purpose: replaces an erased user in saved filters of the queue.
-- parameters: pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update console_views
set
    name = left(regexp_replace(name, :'pattern'::text, :'pseudonym'::text, 'g'), 60),
    query = left(regexp_replace(query, :'pattern'::text, :'pseudonym'::text, 'g'), 2000)
where name ~ :'pattern'::text
    or query ~ :'pattern'::text;
