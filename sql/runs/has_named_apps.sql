-- purpose: whether a run ever had settings that name an app: then one without settings is no first try.
-- parameters: none
-- grain:   one row
select exists (
        select 1 from settings_texts where strpos(E'\n' || settings_texts.settings, E'\napps.') > 0
    ) as has_named_apps;
