-- purpose: the same as unlock_account, for an administrator of the console.
-- parameters: account (text)
-- grain:   one row: how many failed log-ins were forgotten
select console_unlock(:'account'::text);
