-- purpose: what stands behind each figure of the quarantine: counts that batches kept, and pieces of evidence.
-- parameters: source, day, figure (text: column of the quarantine; empty for all of them), as_of (timestamptz)
-- grain:   one row per figure and count or piece; the values of a figure add up to it
with told as (
    select counted.source, counted.day, part.figure, counted.batch_id, counted.sha256, null::text as reason, part.value
    from quarantine_rows() as counted
    cross join lateral (values ('item_count', counted.item_count), ('byte_count', counted.byte_count)) as part (figure, value)
    union all
    select kept.source, kept.day, part.figure, null, kept.sha256, kept.reason, part.value
    from quarantine_kept() as kept
    cross join lateral (values ('kept_count', 1::bigint), ('kept_byte_count', kept.byte_count)) as part (figure, value)
)
select
    told.source, to_char(told.day, 'YYYY-MM-DD') as day, told.figure, told.batch_id, told.sha256, told.reason,
    told.value::text as value
from quarantine_days() as days
inner join told on told.source = days.source and told.day = days.day
where days.first_at <= :'as_of'::timestamptz
    and :'source'::text in ('', told.source)
    and :'day'::text in ('', to_char(told.day, 'YYYY-MM-DD'))
    and :'figure'::text in ('', told.figure)
    and told.value <> 0
order by told.day, told.source collate "C", told.figure, told.batch_id, told.sha256;
