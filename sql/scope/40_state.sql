-- purpose: the settings and version of the current matches, breaks or signals.
-- parameters: name (text): match, detect or rules
-- grain:   at most one row
select settings_sha256, code_version
from match_state
where name = :'name'::text;
