-- purpose: the events that a run would append, for a dry run.
-- parameters: row_max (bigint)
-- grain:   one row per event
select break_id, class, is_open, order_id, charge_id, english(detail)
from detect_changed
order by class, break_id
limit :'row_max'::bigint;
