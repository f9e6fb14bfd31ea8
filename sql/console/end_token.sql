-- purpose: ends a token of the account that acts.
-- parameters: token (text): its id in the list
-- grain:   one row: how many ended
select console_end_token(:'token'::text);
