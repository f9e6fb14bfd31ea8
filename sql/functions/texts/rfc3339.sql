-- purpose: Returns an instant in the format of all exports: UTC, without a fraction if it is zero, else with three or six
--          digits.
create or replace function payrecon.rfc3339(instant timestamptz) returns text
    language sql stable parallel safe
    return to_char(
        instant at time zone 'UTC',
        case
            when extract(microseconds from instant)::bigint % 1000000 = 0 then 'YYYY-MM-DD"T"HH24:MI:SS"Z"'
            when extract(microseconds from instant)::bigint % 1000 = 0 then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
            else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
        end
    );
