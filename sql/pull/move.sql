-- purpose: advances the watermark of a source. While query and mapping stay the same it never moves back, so concurrent
--          readers lose nothing.
-- parameters: source, kind, query_sha256, row_key (text), changed_at (timestamptz)
-- grain:   one row
insert into pull_watermarks (source, kind, query_sha256, changed_at, row_key)
values (:'source'::text, :'kind'::text, :'query_sha256'::text, :'changed_at'::timestamptz, :'row_key'::text)
on conflict on constraint pull_watermarks_pkey do update
set
    query_sha256 = excluded.query_sha256,
    changed_at = excluded.changed_at,
    row_key = excluded.row_key,
    moved_at = clock_timestamp()
where pull_watermarks.query_sha256 <> excluded.query_sha256
    or (pull_watermarks.changed_at, pull_watermarks.row_key) < (excluded.changed_at, excluded.row_key);
