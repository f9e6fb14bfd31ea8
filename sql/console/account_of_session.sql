-- purpose: the account of a session's secret.
-- parameters: secret (text)
-- grain:   one row; none if the session does not exist or has ended; language and time_zone are empty if the account chose none
select
    seen.account, seen.role,
    array_to_string(seen.inboxes, ' ') as inboxes,
    coalesce(console_preferences.language, '') as language,
    coalesce(console_preferences.time_zone, '') as time_zone,
    seen.is_by_proxy
from console_seen(:'secret'::text) as seen
left join console_preferences on console_preferences.account = seen.account;
