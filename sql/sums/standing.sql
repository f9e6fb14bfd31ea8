-- purpose: the clock of the stored sums that this program can update.
-- grain:   one row; none if all sums must be recomputed
select state.as_of
from payrecon.report_sums_state as state
where state.as_of = report_sums_clock()
    and state.as_of <= payrecon.viewed_at();
