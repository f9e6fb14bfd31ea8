-- purpose: apps with charges that the settings do not name, and the settings of the latest night.
-- parameters: as_of (timestamptz), bundles (text[])
-- grain:   one row per app; settings are those of the latest night that started, null if there is none or its text was not
--          stored
select
    charged_apps.bundle_id,
    (
        select settings_texts.settings
        from runs
        left join settings_texts on settings_texts.settings_sha256 = runs.settings_sha256
        where runs.job = 'nightly'
            and runs.as_of <= :'as_of'::timestamptz
        order by runs.started_at desc
        limit 1
    ) as settings
from charged_apps
where charged_apps.bundle_id <> all(:'bundles'::text[])
order by charged_apps.bundle_id;
