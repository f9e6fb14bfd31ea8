-- purpose: appends an entry about settings that differ from those of the previous run of any job.
-- parameters: at (timestamptz), actor, old, settings_sha256, run_id (text), changed (text[]): one line per difference; old is
--             null for the first run
-- grain:   one row with the entry's number
select audit_append(
    :'at'::timestamptz, :'actor'::text, 'settings_changed', :'run_id'::text,
    json_build_object('old', :'old'::text, 'new', :'settings_sha256'::text, 'changed', to_json(:'changed'::text[]))::text
);
