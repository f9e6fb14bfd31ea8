-- purpose: export of the quarantine: items that are not genuine and tied to nobody, counted per source and day, with samples.
-- parameters: as_of (timestamptz)
-- grain:   one row per source and day
with kept as (
    select
        kept_item.*,
        row_number() over (partition by kept_item.source, kept_item.day order by kept_item.sha256 collate "C") as place,
        row_number() over (
            partition by kept_item.source, kept_item.day, kept_item.reason order by kept_item.sha256 collate "C"
        ) as place_in_reason
    from quarantine_kept() as kept_item
),
sample as (
    select
        kept.source, kept.day, count(*) as kept_count, sum(kept.byte_count)::bigint as kept_byte_count,
        string_agg(kept.sha256, ' ' order by kept.sha256 collate "C") filter (where kept.place <= 5) as samples,
        phrase(
            'said.apart', jsonb_agg(kept.reason order by english(kept.reason) collate "C")
            filter (where kept.place <= 5 and kept.place_in_reason = 1)
        ) as reasons
    from kept
    group by kept.source, kept.day
)
select
    days.source,
    to_char(days.day, 'YYYY-MM-DD') as day,
    days.item_count, days.byte_count,
    rfc3339(days.first_at) as first_at,
    rfc3339(days.last_at) as last_at,
    coalesce(sample.kept_count, 0) as kept_count,
    coalesce(sample.kept_byte_count, 0) as kept_byte_count,
    sample.samples, sample.reasons
from quarantine_days() as days
left join sample on sample.source = days.source and sample.day = days.day
where days.first_at <= :'as_of'::timestamptz
order by days.day, days.source collate "C";
