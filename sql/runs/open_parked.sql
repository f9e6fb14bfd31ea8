-- purpose: how many parked items nobody has retried or discarded.
-- parameters: none
-- grain:   one row
select count(*) as parked_count
from parked_items
where not exists (select from parked_outcomes where parked_outcomes.parked_id = parked_items.parked_id);
