-- purpose: how far each source of rows was read: up to which instant of change, and which key at that instant.
create table payrecon.pull_watermarks (
    source text collate "C" not null,
    kind text collate "C" not null,
    changed_at timestamptz not null,
    row_key text collate "C" not null,
    moved_at timestamptz not null default clock_timestamp(),
    constraint pull_watermarks_pkey primary key (source, kind)
);
