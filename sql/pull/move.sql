-- purpose: advances the watermark of a source; it never moves back, so concurrent readers lose nothing.
-- parameters: source, kind, row_key (text), changed_at (timestamptz)
-- grain:   one row
insert into pull_watermarks (source, kind, changed_at, row_key)
values (:'source'::text, :'kind'::text, :'changed_at'::timestamptz, :'row_key'::text)
on conflict on constraint pull_watermarks_pkey do update
set
    changed_at = excluded.changed_at,
    row_key = excluded.row_key,
    moved_at = clock_timestamp()
where (pull_watermarks.changed_at, pull_watermarks.row_key) < (excluded.changed_at, excluded.row_key);
