-- purpose: adds the counts of a chunk's new facts by app, environment and hour: an order's last change, Apple's statement.
-- parameters: batch_id (bigint), kind (text), bundle_ids, environments (text[]), hours, row_counts, newest (text[] of integers):
--             parallel arrays; hours and microseconds since 1970, no hour for facts dated ahead
-- grain:   one row per app, environment and hour
insert into input_hours as known (batch_id, kind, bundle_id, environment, fact_hour, row_count, newest_fact_at)
select
    :'batch_id'::bigint, :'kind'::text, counted.bundle_id, counted.environment,
    coalesce('epoch'::timestamptz + nullif(counted.hour, '')::bigint * interval '1 hour', 'infinity'), counted.row_count::bigint,
    'epoch'::timestamptz + counted.newest::bigint * interval '1 microsecond'
from unnest(:'bundle_ids'::text[], :'environments'::text[], :'hours'::text[], :'row_counts'::text[], :'newest'::text[])
    as counted (bundle_id, environment, hour, row_count, newest)
on conflict (batch_id, fact_hour, bundle_id, environment) do update
set
    row_count = known.row_count + excluded.row_count,
    newest_fact_at = greatest(known.newest_fact_at, excluded.newest_fact_at);
