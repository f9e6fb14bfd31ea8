-- purpose: keeps the language that the account that asks chose, in place of the one before.
-- parameters: language (text)
-- grain:   one row
insert into console_languages as kept (account, language)
values (acting_account(), :'language'::text)
on conflict (account) do update
set language = excluded.language;
