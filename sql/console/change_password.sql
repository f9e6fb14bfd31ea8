-- purpose: changes the password of the acting account, which shows that it knows the present one.
-- parameters: proof, salt, verifier (text)
-- grain:   one row: opened, refused or throttled
select console_change_password(:'proof'::text, :'salt'::text, :'verifier'::text);
