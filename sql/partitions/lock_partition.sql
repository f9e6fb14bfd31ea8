-- purpose: selects an undecided partition and locks it until the end of the transaction.
-- parameters: settings_sha256, code_version (text): of the caller, which decides only runs of the same
-- grain:   at most one row
select partition, partition_count
from partitions
where not is_decided
    and settings_sha256 = :'settings_sha256'::text
    and code_version = :'code_version'::text
order by partition
limit 1
for update skip locked;
