-- purpose: creates the partitions of a full run.
-- parameters: job (text): match or detect; share_count (integer); settings_sha256, code_version (text): including the hash
--             of the deciding SQL; as_of (timestamptz)
-- grain:   one row per partition
insert into pieces (job, piece, share_count, settings_sha256, code_version, as_of)
select
    :'job'::text, share.piece, :'share_count'::integer, :'settings_sha256'::text, :'code_version'::text,
    :'as_of'::timestamptz
from generate_series(0, :'share_count'::integer - 1) as share (piece);
