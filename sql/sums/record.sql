-- purpose: records the clock, settings and code of the sums.
-- grain:   one row
insert into payrecon.report_sums_state as known (name, apps, zones, starts, code_version, batch_count, run_count, as_of)
select
    'daily', current_setting('payrecon.viewed_bundles')::text[], current_setting('payrecon.viewed_zones')::text[],
    current_setting('payrecon.viewed_starts')::text[], current_setting('payrecon.sums_code'),
    payrecon.batches_known_by(payrecon.viewed_at()), payrecon.runs_deciding_at(payrecon.viewed_at()), payrecon.viewed_at()
on conflict (name) do update
set
    apps = excluded.apps,
    zones = excluded.zones,
    starts = excluded.starts,
    code_version = excluded.code_version,
    batch_count = excluded.batch_count,
    run_count = excluded.run_count,
    as_of = excluded.as_of;
