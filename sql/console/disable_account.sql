-- purpose: disables a console account. Its sessions end, its past acts stay.
-- parameters: account (text), as_of (timestamptz)
-- grain:   one row; none if the account does not exist or is already disabled
update console_accounts
set disabled_at = :'as_of'::timestamptz
where name = :'account'::text
    and disabled_at is null;
