-- purpose: accounts of the console, for the owner of the schema.
-- grain:   one row per account
select
    name as account, role, array_to_string(inboxes, ' ') as inboxes, rfc3339(added_at) as added_at, added_by,
    rfc3339(disabled_at) as disabled_at
from console_accounts
order by name;
