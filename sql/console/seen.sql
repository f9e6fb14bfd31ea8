-- purpose: the account of a session's secret.
-- parameters: secret (text)
-- grain:   one row; none if the session does not exist or has ended; language is empty if the account chose none
select
    seen.account, seen.role,
    array_to_string(seen.inboxes, ' ') as inboxes,
    coalesce(console_languages.language, '') as language,
    seen.is_by_proxy
from console_seen(:'secret'::text) as seen
left join console_languages on console_languages.account = seen.account;
