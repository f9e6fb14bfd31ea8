-- purpose: opens a session for a caller that presents the scrypt proof of the account's password.
-- parameters: account, proof, secret_sha256, address (text)
-- grain:   one row: opened, refused or throttled
select console_open(:'account'::text, :'proof'::text, :'secret_sha256'::text, :'address'::text);
