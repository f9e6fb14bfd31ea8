-- purpose: the watermark of a source. Another query may yield rows that the earlier one left out, and another mapping reads
--          the same rows otherwise, so they have none.
-- parameters: source, kind, query_sha256 (text)
-- grain:   at most one row
select changed_at
from pull_watermarks
where source = :'source'::text
    and kind = :'kind'::text
    and query_sha256 = :'query_sha256'::text;
