-- purpose: the matches that a run would close or create, for a dry run.
-- parameters: row_max (bigint)
-- grain:   one row per change
select change, order_id, charge_id, rung
from match_change
order by order_id, charge_id, change
limit :'row_max'::bigint;
