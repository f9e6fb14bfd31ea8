-- purpose: stores the language that the acting account chose, replacing the previous one.
-- parameters: language (text)
-- grain:   one row
insert into console_languages as kept (account, language)
values (acting_account(), :'language'::text)
on conflict (account) do update
set language = excluded.language;
