-- purpose: the clock of the sums that this program can go on from.
-- parameters: code_version (text); rows/ask.sql says the clock and our apps
-- grain:   one row; none where everything must be added up anew
select state.as_of
from payrecon.report_sums_state as state
where state.code_version = :'code_version'::text
    and state.as_of = report_sums_clock()
    and state.as_of <= payrecon.viewed_at();
