-- purpose: the full run in partitions that is in progress: its settings, version and clock, whether only recording is
--          left, and its number of partitions.
-- grain:   one row; none if no run is in progress
select settings_sha256, code_version, as_of, bool_and(is_decided) as is_decided, max(partition_count) as partition_count
from partitions
group by settings_sha256, code_version, as_of;
