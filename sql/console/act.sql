-- purpose: makes this connection act for the console session of a secret; the database checks the session at every act.
-- parameters: secret (text)
-- grain:   one row
select set_config('payrecon.session', :'secret'::text, false);
