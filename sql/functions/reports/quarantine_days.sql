-- purpose: the quarantine by source and day.
create or replace function payrecon.quarantine_days() returns table (
    source text, day date, item_count bigint, byte_count bigint, first_at timestamptz, last_at timestamptz
)
language plpgsql stable
as $$
begin
    return query
    select
        told.source, told.day, sum(told.item_count)::bigint, sum(told.byte_count)::bigint, min(told.first_at),
        max(told.last_at)
    from payrecon.quarantine_rows() as told
    group by told.source, told.day
    having sum(told.item_count) > 0;
end
$$;
