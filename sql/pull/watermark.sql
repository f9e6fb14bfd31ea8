-- purpose: the watermark of a source.
-- parameters: source, kind (text)
-- grain:   at most one row
select changed_at
from pull_watermarks
where source = :'source'::text
    and kind = :'kind'::text;
