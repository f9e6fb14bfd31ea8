-- purpose: appends an entry if the settings differ from those of the previous run of any job; the first run appends its own.
-- parameters: at (timestamptz), actor, settings_sha256, run_id (text), changed (text[]): one line per difference
-- grain:   one row with the entry's number, or none when nothing changed
select audit_append(
    :'at'::timestamptz, :'actor'::text, 'settings_changed', :'run_id'::text,
    json_build_object(
        'old', before.settings_sha256, 'new', :'settings_sha256'::text, 'changed', to_json(:'changed'::text[])
    )::text
)
from (
    select (
        select audit_log.details::json ->> 'new'
        from audit_log
        where audit_log.act = 'settings_changed'
        order by audit_log.number desc
        limit 1
    ) as settings_sha256
) as before
where before.settings_sha256 is distinct from :'settings_sha256'::text;
