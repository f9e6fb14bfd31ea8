-- purpose: what is mixed into the password of an account; empty while log-ins of it are refused.
-- parameters: account, address (text)
-- grain:   one row
select console_salt(:'account'::text, :'address'::text);
