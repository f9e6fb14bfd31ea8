-- purpose: accounts of the console with status and activity, for administrators.
-- grain:   one row per account
select
    account, role,
    array_to_string(inboxes, ' ') as inboxes,
    case
        when disabled_at is not null then phrase('people.disabled_since', 'at', rfc3339(disabled_at))
        when is_locked then phrase('status.locked')
        else phrase('status.active')
    end as status,
    mail_address,
    session_count,
    rfc3339(seen_at) as seen_at
from console_people();
