-- purpose: waits until the worker that holds the first undecided piece is done. Afterwards a piece can be claimed, or none is
--          left.
-- parameters: settings_sha256, code_version (text): of the caller, which decides only runs of the same
-- grain:   at most one row
select piece
from pieces
where not is_decided
    and settings_sha256 = :'settings_sha256'::text
    and code_version = :'code_version'::text
order by piece
limit 1
for update;
