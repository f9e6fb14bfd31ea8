-- purpose: has this connection act for the session of the console whose secret it shows; the database checks it at every act.
-- parameters: secret (text)
-- grain:   one row
select set_config('payrecon.session', :'secret'::text, false);
