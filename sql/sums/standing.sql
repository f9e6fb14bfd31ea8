-- purpose: the clock of the sums that this program can go on from: added up under these settings, and right as of that clock.
-- parameters: code_version (text); rows/ask.sql says the clock and our apps
-- grain:   one row; none where everything must be added up anew
select state.as_of
from payrecon.report_sums_state as state
where state.code_version = :'code_version'::text
    and state.apps = current_setting('payrecon.asked_bundles')::text[]
    and state.zones = current_setting('payrecon.asked_zones')::text[]
    and state.starts = current_setting('payrecon.asked_starts')::text[]
    and state.as_of <= payrecon.asked_at()
    and state.batch_count = payrecon.batches_known_by(state.as_of)
    and state.run_count = payrecon.runs_deciding_at(state.as_of);
