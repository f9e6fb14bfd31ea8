-- purpose: stores the language and the time zone that the acting account chose, replacing the previous ones.
-- parameters: language, time_zone (text): empty for the browser's language, and for UTC
-- grain:   one row
insert into console_preferences as kept (account, language, time_zone)
values (acting_account(), nullif(:'language'::text, ''), nullif(:'time_zone'::text, ''))
on conflict (account) do update
set
    language = excluded.language,
    time_zone = excluded.time_zone;
