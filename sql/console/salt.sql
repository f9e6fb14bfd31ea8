-- purpose: the salt of an account's password; empty while its log-ins are refused.
-- parameters: account, address (text)
-- grain:   one row
select console_salt(:'account'::text, :'address'::text);
