-- purpose: whether report_sums is of the clock, the apps, the zones and the start dates that are asked for, and nothing known by that
--          clock came in and no run decided at it since it was added up.
create or replace function payrecon.has_report_sums() returns boolean
language sql stable parallel safe
as $$
    select exists (
        select 1
        from payrecon.report_sums_state as state
        where state.as_of = payrecon.asked_at()
            and state.apps = current_setting('payrecon.asked_bundles')::text[]
            and state.zones = current_setting('payrecon.asked_zones')::text[]
            and state.starts = current_setting('payrecon.asked_starts')::text[]
            and state.batch_count = payrecon.batches_known_by(state.as_of)
            and state.run_count = payrecon.runs_deciding_at(state.as_of)
    )
$$;
