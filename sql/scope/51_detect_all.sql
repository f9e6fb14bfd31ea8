-- purpose: makes the next detect run evaluate everything, after all matches may have changed.
-- grain:   at most one row
update match_state
set settings_sha256 = ''
where name = 'detect'
    and settings_sha256 <> '';
