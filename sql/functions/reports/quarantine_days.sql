-- purpose: Returns the quarantine by source and day.
create or replace function payrecon.quarantine_days() returns table (
    source text, day date, item_count bigint, byte_count bigint, first_at timestamptz, last_at timestamptz
)
language sql stable
as $$
    select
        item.source, item.day, sum(item.item_count)::bigint, sum(item.byte_count)::bigint, min(item.first_at),
        max(item.last_at)
    from payrecon.quarantine_rows() as item
    group by item.source, item.day
    having sum(item.item_count) > 0
$$;
