-- purpose: whose session a secret is of.
-- parameters: secret (text)
-- grain:   one row, or none when there is no such session or it is over
select account, role, array_to_string(inboxes, ' ') as inboxes from console_seen(:'secret'::text);
