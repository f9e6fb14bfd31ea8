-- purpose: the clock of report_sums; null where the apps, zones or start dates that are asked for are others, or where a batch known by
--          that clock came in or a run decided at it since the sums were added up.
create or replace function payrecon.report_sums_clock() returns timestamptz
language sql stable parallel safe
as $$
    select state.as_of
    from payrecon.report_sums_state as state
    where state.apps = current_setting('payrecon.viewed_bundles')::text[]
        and state.zones = current_setting('payrecon.viewed_zones')::text[]
        and state.starts = current_setting('payrecon.viewed_starts')::text[]
        and state.batch_count = payrecon.batches_known_by(state.as_of)
        and state.run_count = payrecon.runs_deciding_at(state.as_of)
$$;

-- purpose: whether report_sums is of the clock, the apps, the zones and the start dates that are asked for.
create or replace function payrecon.has_report_sums() returns boolean
language sql stable parallel safe
as $$
    select coalesce(payrecon.report_sums_clock() = payrecon.viewed_at(), false)
$$;
