-- purpose: records the settings and version of this run.
-- parameters: name, settings_sha256, code_version (text): including the hash of the deciding SQL
-- grain:   one row
insert into match_state (name, settings_sha256, code_version)
values (:'name'::text, :'settings_sha256'::text, :'code_version'::text)
on conflict (name) do update
set
    settings_sha256 = excluded.settings_sha256,
    code_version = excluded.code_version
where (match_state.settings_sha256, match_state.code_version) is distinct from (excluded.settings_sha256, excluded.code_version);
