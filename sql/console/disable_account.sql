-- purpose: ends an account of the console: no session of it lives from here on; what it did stays.
-- parameters: account (text), as_of (timestamptz)
-- grain:   one row, or none when there is no such account or it is disabled already
update console_accounts
set disabled_at = :'as_of'::timestamptz
where name = :'account'::text
    and disabled_at is null;
