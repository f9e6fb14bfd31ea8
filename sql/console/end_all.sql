-- purpose: ends all sessions of an account.
-- parameters: account (text)
-- grain:   one row
select console_end_all(:'account'::text);
