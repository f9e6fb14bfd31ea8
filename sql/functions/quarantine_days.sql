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
    from (
        select
            quarantine_counts.source, quarantine_counts.day, quarantine_counts.item_count, quarantine_counts.byte_count,
            quarantine_counts.first_at, quarantine_counts.last_at
        from quarantine_counts
        union all
        select
            untied.source, untied.day, 1, untied.byte_count, untied.received_at, untied.received_at
        from untied_evidence() as untied
    ) as told
    group by told.source, told.day
    having sum(told.item_count) > 0;
end
$$;
