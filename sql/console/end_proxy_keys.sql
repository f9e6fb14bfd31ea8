-- purpose: ends the key of a proxy; nobody opens a session with it from here on.
-- parameters: as_of (timestamptz)
-- grain:   one row, or none when there is none
update console_proxy_keys
set ended_at = :'as_of'::timestamptz
where ended_at is null;
