-- purpose: creates a token of the acting account.
-- parameters: secret_sha256, name, address (text), days (bigint): lifetime; tokens (bigint): limit of active tokens
-- grain:   one row: whether it was created; false if the limit is reached
select console_make_token(:'secret_sha256'::text, :'name'::text, :'days'::bigint, :'address'::text, :'tokens'::bigint);
