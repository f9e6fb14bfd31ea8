-- purpose: the next samples that were last verified by another reader.
-- parameters: reader_sha256 (text), row_max, byte_max (bigint): limits, except for the first sample
-- grain:   one row per sample
select source, day::text as day, sha256, received_at, body_base64
from (
    select
        waiting.*,
        sum(waiting.byte_count) over (order by waiting.source, waiting.day, waiting.sha256) as bytes,
        row_number() over (order by waiting.source, waiting.day, waiting.sha256) as place
    from (
        select source, day, sha256, received_at, body_base64, byte_count
        from quarantined_items
        where quarantined_items.reader_sha256 <> :'reader_sha256'::text
            and quarantined_items.released_batch_id is null
            and quarantined_items.batch_id is not null
        order by source, day, sha256
        limit :'row_max'::bigint
    ) as waiting
) as counted
where bytes <= :'byte_max'::bigint
    or place = 1
order by source, day, sha256;
