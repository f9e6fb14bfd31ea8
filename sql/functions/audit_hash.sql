-- purpose: SHA-256 of an entry: of the JSON array of its fields and the hash of the entry before it, as PostgreSQL
--          writes it. An entry from before the server's clock was recorded has no such field.
drop function if exists payrecon.audit_hash(bigint, timestamptz, text, text, text, text, text, text);
create or replace function payrecon.audit_hash(
    number bigint, at timestamptz, actor text, login text, act text, subject text, details text, previous_hash text,
    recorded_at timestamptz
) returns text
language sql stable parallel safe
return encode(
    sha256(
        convert_to(
            case
                when recorded_at is null
                    then json_build_array(number, payrecon.rfc3339(at), actor, login, act, subject, details, previous_hash)
                else json_build_array(
                    number, payrecon.rfc3339(at), actor, login, act, subject, details, previous_hash,
                    payrecon.rfc3339(recorded_at)
                )
            end::text,
            'UTF8'
        )
    ),
    'hex'
);
