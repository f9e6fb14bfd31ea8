-- purpose: whose session a secret is of.
-- parameters: secret (text)
-- grain:   one row, or none when there is no such session or it is over; language is empty where the account chose none
select
    seen.account,
    seen.role,
    array_to_string(seen.inboxes, ' ') as inboxes,
    coalesce(console_languages.language, '') as language,
    seen.is_by_proxy
from console_seen(:'secret'::text) as seen
left join console_languages on console_languages.account = seen.account;
