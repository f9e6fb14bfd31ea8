-- purpose: the apps with charges: time zone of their days, and when their books began; and the clock of the report. Charges
--          older than an app's first batch are history and late in no period.
-- parameters: none; rows/set_viewed.sql sets the clock
-- grain:   one row per app with charges in Production
select
    first_batch.bundle_id, coalesce(app.zone, 'UTC') as zone, first_batch.begun_at, viewed_at() as clock
from (
    select charges.bundle_id, min(batches.known_at) as begun_at
    from charges
    inner join batches on batches.batch_id = charges.batch_id
    where charges.environment = 'Production'
    group by charges.bundle_id
) as first_batch
left join viewed_apps() as app on app.bundle_id = first_batch.bundle_id;
