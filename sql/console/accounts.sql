-- purpose: accounts of the console, as the owner of the schema sees them.
-- parameters: none
-- grain:   one row per account
select
    name as account, role, array_to_string(inboxes, ' ') as inboxes, rfc3339(added_at) as added_at, added_by,
    rfc3339(disabled_at) as disabled_at
from console_accounts
order by name;
