-- purpose: ends a session.
-- parameters: secret (text)
-- grain:   one row: how many sessions ended
select console_end(:'secret'::text);
