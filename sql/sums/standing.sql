-- purpose: the clock of the stored sums that this program can update.
-- parameters: none; rows/set_viewed.sql sets the clock and our apps, sums/set_code.sql the code
-- grain:   one row; none if all sums must be recomputed
select state.as_of
from payrecon.report_sums_state as state
where state.as_of = report_sums_clock()
    and state.as_of <= payrecon.viewed_at();
