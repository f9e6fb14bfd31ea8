-- purpose: Returns the SHA-256 of an entry: of the JSON array of its fields and the previous entry's hash, as formatted by
--          PostgreSQL.
create or replace function payrecon.audit_hash(
    number bigint, at timestamptz, actor text, login text, act text, subject text, details text, previous_hash text,
    recorded_at timestamptz
) returns text
language sql stable parallel safe
return payrecon.text_sha256(
    json_build_array(
        number, payrecon.rfc3339(at), actor, login, act, subject, details, previous_hash, payrecon.rfc3339(recorded_at)
    )::text
);
