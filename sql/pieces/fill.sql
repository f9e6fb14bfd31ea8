-- purpose: marks the pieces as filled, before their facts are stored; claims wait for the end of the transaction.
-- parameters: settings_sha256, code_version (text): of the caller, which fills no run of another version
-- grain:   one row per piece that was not filled
update pieces
set is_filled = true
where not is_filled
    and settings_sha256 = :'settings_sha256'::text
    and code_version = :'code_version'::text;
