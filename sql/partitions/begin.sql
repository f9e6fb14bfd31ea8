-- purpose: begins a full run in partitions.
-- parameters: partition_count (integer); settings_sha256, code_version (text): including the hash of the deciding SQL;
--             as_of (timestamptz)
-- grain:   one row per partition
insert into partitions (partition, partition_count, settings_sha256, code_version, as_of)
select numbered.partition, :'partition_count'::integer, :'settings_sha256'::text, :'code_version'::text, :'as_of'::timestamptz
from generate_series(0, :'partition_count'::integer - 1) as numbered (partition);
