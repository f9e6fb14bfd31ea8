-- purpose: the counts of the latest attempt of a run.
-- parameters: run_id (text)
-- grain:   one row per count
select
    entry.name,
    case
        when jsonb_typeof(entry.value) = 'object' then (
            select string_agg(
                part.name || ' ' || part.value, ', '
                order by array_position(
                    array['input', 'accepted', 'repeated', 'ignored', 'parked', 'created', 'closed'], part.name
                )
            )
            from jsonb_each_text(entry.value) as part (name, value)
        )
        else entry.value #>> '{}'
    end as value
from (select counts from runs where run_id = :'run_id'::text order by attempt desc limit 1) as latest
cross join lateral jsonb_each(latest.counts::jsonb) as entry (name, value)
order by entry.name;
