-- purpose: ends all sessions of an account.
-- parameters: account (text)
-- grain:   one row: how many sessions ended
select console_end_all(:'account'::text);
