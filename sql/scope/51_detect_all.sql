-- purpose: everything was decided anew, or may be another way now: the next detect run looks at everything.
-- parameters: none
-- grain:   at most one row
update match_state
set settings_sha256 = ''
where name = 'detect'
    and settings_sha256 <> '';
