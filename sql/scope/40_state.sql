-- purpose: with what the matches of the moment were decided.
-- parameters: none
-- grain:   at most one row
select settings_sha256, code_version, has_reach
from match_state
where name = 'match';
