-- purpose: active tokens of the acting account.
-- grain:   one row per active token
select token, name, rfc3339(made_at) as made_at, rfc3339(seen_at) as seen_at, rfc3339(expires_at) as expires_at from console_tokens();
