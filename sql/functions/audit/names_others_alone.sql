-- purpose: Returns whether a parked upload names users and none of them is the given one. An id with an escape may be any user's.
create or replace function payrecon.names_others_alone(raw bytea, user_id text) returns boolean
language sql immutable parallel safe
return (
    select coalesce(bool_and(named.ids[1] ~ '^[A-Za-z0-9_.@:-]+$' and named.ids[1] <> $2), false)
    from regexp_matches(encode($1, 'escape'), '"user_id"\s*:\s*"([^"]*)"', 'g') as named (ids)
);
