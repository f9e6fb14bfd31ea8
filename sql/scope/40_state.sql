-- purpose: with what the matches, the breaks or the signals of the moment were decided.
-- parameters: name (text): match, detect or rules
-- grain:   at most one row
select settings_sha256, code_version
from match_state
where name = :'name'::text;
