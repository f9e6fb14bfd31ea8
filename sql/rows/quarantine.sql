-- purpose: the batch counts and evidence items behind each figure of the quarantine.
-- parameters: source, day, figure (text: column of the quarantine; empty for all), as_of (timestamptz)
-- grain:   one row per figure and count or item; the values of a figure add up to it
with entry as (
    select counted.source, counted.day, part.figure, counted.batch_id, counted.sha256, null::jsonb as reason, part.value
    from quarantine_rows() as counted
    cross join lateral (values ('item_count', counted.item_count), ('byte_count', counted.byte_count)) as part (figure, value)
    union all
    select kept.source, kept.day, part.figure, null, kept.sha256, kept.reason, part.value
    from quarantine_kept() as kept
    cross join lateral (values ('kept_count', 1::bigint), ('kept_byte_count', kept.byte_count)) as part (figure, value)
)
select
    entry.source, to_char(entry.day, 'YYYY-MM-DD') as day, entry.figure, entry.batch_id, entry.sha256, entry.reason,
    entry.value::text as value
from quarantine_days() as days
inner join entry on entry.source = days.source and entry.day = days.day
where days.first_at <= :'as_of'::timestamptz
    and :'source'::text in ('', entry.source)
    and :'day'::text in ('', to_char(entry.day, 'YYYY-MM-DD'))
    and :'figure'::text in ('', entry.figure)
    and entry.value <> 0
order by entry.day, entry.source collate "C", entry.figure, entry.batch_id, entry.sha256;
