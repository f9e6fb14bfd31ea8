-- purpose: whether a run ever had settings with an app; a run without settings is then not the first try.
-- grain:   one row
select exists (
        select 1 from settings_texts where strpos(E'\n' || settings_texts.settings, E'\napps.') > 0
    ) as has_named_apps;
