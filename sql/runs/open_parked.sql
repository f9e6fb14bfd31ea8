-- purpose: the number of parked items that were neither retried nor discarded, without truncated ends of files that were
--          read whole later.
-- parameters: as_of (timestamptz)
-- grain:   one row
with ended as materialized (
    select truncated_inputs.parked_id
    from truncated_inputs
    where is_truncation_resolved(truncated_inputs.parked_id, :'as_of'::timestamptz)
)
select count(*) as parked_count
from parked_items
where not exists (select 1 from parked_outcomes where parked_outcomes.parked_id = parked_items.parked_id)
    and parked_items.parked_id not in (select ended.parked_id from ended);
