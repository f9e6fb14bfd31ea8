-- purpose: the settings of the last complete night before a clock, and its trusted roots.
-- parameters: as_of (timestamptz)
-- grain:   at most one row; a text is null if the night ran before such texts were stored
select runs.run_id, runs.settings_sha256, settings_texts.settings, runs.roots_sha256, all_texts.settings as all_settings
from runs
left join settings_texts on settings_texts.settings_sha256 = runs.settings_sha256
left join settings_texts as all_texts on all_texts.settings_sha256 = runs.entries_sha256
where runs.job = 'nightly'
    and is_complete(runs.verdict)
    and runs.as_of < :'as_of'::timestamptz
order by runs.as_of desc, runs.started_at desc
limit 1;
