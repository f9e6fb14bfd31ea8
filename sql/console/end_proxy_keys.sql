-- purpose: ends the proxy's key, so that it opens no further sessions.
-- parameters: as_of (timestamptz)
-- grain:   one row; none if no key is active
update console_proxy_keys
set ended_at = :'as_of'::timestamptz
where ended_at is null;
