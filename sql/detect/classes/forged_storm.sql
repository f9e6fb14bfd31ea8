-- purpose: FORGED_STORM: more unowned input that is not genuine from one source on one day than a threshold.
-- parameters: storm_above (bigint), storm_since (timestamptz): earlier days are not reported
-- grain:   one finding per source and day
insert into finding (class, subject_id, breaks_at, detail)
select
    'FORGED_STORM',
    'quarantine:' || days.source || '|' || to_char(days.day, 'YYYY-MM-DD'),
    days.first_at,
    phrase('detail.storm', jsonb_build_object(
        'count', days.item_count, 'source', phrase('word.' || days.source), 'day', to_char(days.day, 'YYYY-MM-DD'),
        'bytes', days.byte_count, 'first', rfc3339(days.first_at), 'last', rfc3339(days.last_at)
    ))
from quarantine_days() as days
where days.item_count > :'storm_above'::bigint
    and days.first_at >= :'storm_since'::timestamptz;
