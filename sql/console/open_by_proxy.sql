-- purpose: opens a session for the account named by a proxy that presents its key.
-- parameters: account, key, secret_sha256, address (text)
-- grain:   one row: opened or refused
select console_open_by_proxy(:'account'::text, :'key'::text, :'secret_sha256'::text, :'address'::text);
