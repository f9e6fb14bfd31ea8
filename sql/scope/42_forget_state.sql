-- purpose: makes the next run of a job decide everything. A run that decides now fails and starts again.
-- parameters: name (text): match, detect or rules
-- grain:   at most one row
update match_state
set settings_sha256 = null
where name = :'name'::text
    and settings_sha256 is not null;
