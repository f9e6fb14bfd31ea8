-- purpose: what is mixed into the password of an account.
-- parameters: account (text)
-- grain:   one row
select console_salt(:'account'::text);
