-- purpose: records with what this run decides.
-- parameters: name, settings_sha256, code_version (text): with the hash of the SQL that decides; has_keys (boolean): the
--             keys of all facts are written
-- grain:   one row
insert into match_state (name, settings_sha256, code_version, has_keys)
values (:'name'::text, :'settings_sha256'::text, :'code_version'::text, :'has_keys'::boolean)
on conflict (name) do update
set
    settings_sha256 = excluded.settings_sha256,
    code_version = excluded.code_version,
    has_keys = excluded.has_keys
where (match_state.settings_sha256, match_state.code_version, match_state.has_keys)
    <> (excluded.settings_sha256, excluded.code_version, excluded.has_keys);
