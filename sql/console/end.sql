-- purpose: ends a session.
-- parameters: secret (text)
-- grain:   one row
select console_end(:'secret'::text);
