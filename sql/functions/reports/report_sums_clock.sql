-- purpose: Returns the clock of report_sums; null if the report's apps, time zones or start dates differ, or if another
--          program or SQL computed the sums. Null also if, since the sums were computed, a batch known at that clock arrived
--          or a run decided at it.
create or replace function payrecon.report_sums_clock() returns timestamptz
language sql stable parallel safe
as $$
    select state.as_of
    from payrecon.report_sums_state as state
    where state.apps = current_setting('payrecon.viewed_bundles')::text[]
        and state.zones = current_setting('payrecon.viewed_zones')::text[]
        and state.starts = current_setting('payrecon.viewed_starts')::text[]
        -- Transactions that set no code read no sums.
        and state.code_version = current_setting('payrecon.sums_code', true)
        and state.batch_count = payrecon.batches_known_by(state.as_of)
        and state.run_count = payrecon.runs_deciding_at(state.as_of)
$$;
