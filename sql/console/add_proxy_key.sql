-- purpose: lets whoever shows a key open sessions of the console.
-- parameters: key_sha256, made_by (text), as_of (timestamptz)
-- grain:   one row
insert into console_proxy_keys (key_sha256, made_by, made_at)
values (:'key_sha256'::text, :'made_by'::text, :'as_of'::timestamptz);
