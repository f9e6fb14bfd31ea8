-- purpose: waits until the worker that holds the first undecided partition is done. Afterwards a partition can be locked, or none is
--          left.
-- parameters: settings_sha256, code_version (text): of the caller, which decides only runs of the same
-- grain:   at most one row
select partition
from partitions
where not is_decided
    and settings_sha256 = :'settings_sha256'::text
    and code_version = :'code_version'::text
order by partition
limit 1
for update;
