-- purpose: allows holders of a key to open console sessions.
-- parameters: key_sha256, made_by (text), as_of (timestamptz)
-- grain:   one row
insert into console_proxy_keys (key_sha256, made_by, made_at)
values (:'key_sha256'::text, :'made_by'::text, :'as_of'::timestamptz);
