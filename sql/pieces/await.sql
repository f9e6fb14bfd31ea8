-- purpose: waits until whoever has the first piece that is not decided is done with it; then there is one to be claimed, or
--          none is left.
-- parameters: job (text): match or detect; settings_sha256, code_version (text): of whoever asks, who decides for no run of others
-- grain:   at most one row
select piece
from pieces
where job = :'job'::text
    and not is_decided
    and settings_sha256 = :'settings_sha256'::text
    and code_version = :'code_version'::text
order by piece
limit 1
for update;
