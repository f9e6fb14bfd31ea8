-- purpose: makes a token of the account that acts.
-- parameters: secret_sha256, name, address (text), days (bigint): until it ends; tokens (bigint): that may live at once
-- grain:   one row: whether it was made; not where so many live already
select console_make_token(:'secret_sha256'::text, :'name'::text, :'days'::bigint, :'address'::text, :'tokens'::bigint);
