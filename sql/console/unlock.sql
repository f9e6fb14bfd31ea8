-- purpose: unlocks an account like unlock_account, for an administrator of the console.
-- parameters: account (text)
-- grain:   one row: how many failed log-ins were cleared
select console_unlock(:'account'::text);
