-- purpose: ends a token of the acting account.
-- parameters: token (text): its id in the list
-- grain:   one row: how many tokens ended
select console_end_token(:'token'::text);
