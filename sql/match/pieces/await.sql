-- purpose: waits until whoever has the first piece that is not decided is done with it; then there is one to be claimed, or
--          none is left.
-- parameters: settings_sha256, code_version (text): of whoever asks, who decides for no run of others
-- grain:   at most one row
select piece
from match_pieces
where not is_decided
    and settings_sha256 = :'settings_sha256'::text
    and code_version = :'code_version'::text
order by piece
limit 1
for update;
