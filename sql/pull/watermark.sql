-- purpose: how far a source was read.
-- parameters: source, kind (text)
-- grain:   at most one row
select changed_at
from pull_watermarks
where source = :'source'::text
    and kind = :'kind'::text;
