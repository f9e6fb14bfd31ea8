-- purpose: the run in pieces that is under way: with what it decides, and whether nothing is left of it but to record it.
-- parameters: none
-- grain:   one row; none when nothing is under way
select settings_sha256, code_version, bool_and(is_decided) as is_decided
from match_pieces
group by settings_sha256, code_version;
